import { invalid } from '../../../../contract/declarations/errors.ts'
import type { Changes, Row } from '../../../../contract/declarations/noun.ts'
import type { Context } from '../../../../records/context.ts'
import { isOfService, isProvenElsewhere } from '../../../content/domain_names.ts'
import type { Account } from '../account.ts'

/** What follows for an account from the domain that it is given. Throws a 422 over one that it cannot have. */
export async function domainChanges(
  context: Context,
  account: Row<typeof Account>,
  { storefront_domain: domain }: Changes<typeof Account>,
): Promise<Partial<Row<typeof Account>>> {
  if (domain === undefined) return {}
  if (domain !== null && isOfService(context, domain))
    throw invalid({ storefront_domain: ['belongs to this service; give a domain of your own'] })
  if (domain !== null && (await isProvenElsewhere(context, domain, account.id)))
    throw invalid({ storefront_domain: ['has already been taken'] })
  return {
    ...(domain !== account.storefront_domain && { verified_storefront_domain: null }),
    // Every check has a number, so that a newer one ends the one before.
    storefront_domain_checks: account.storefront_domain_checks + 1,
  }
}
