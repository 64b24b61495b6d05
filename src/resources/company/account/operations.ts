import { isIP } from 'node:net'
import type { Context } from '../../../records/context.ts'
import { type Derived, resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { recordOf, SHOP_DOMAIN, storefrontOf } from '../../content/domain-names.ts'
import { Account, type AccountRow } from './account.ts'
import { wholeBranding } from './brand.ts'
import { grantLater, returnLostCredits } from './credits.ts'
import { currentAccount } from './current.ts'
import { verifyStorefront } from './storefront-domain/jobs.ts'
import { updateAccount } from './update.ts'

async function deriveAccounts(rows: AccountRow[], context: Context): Promise<Derived[]> {
  return rows.map((row) => ({
    storefront_url: storefrontOf(context, row),
    storefront_domain_verified: row.verified_storefront_domain !== null,
    storefront_domain_records: domainRecordsOf(context, row),
    branding: wholeBranding(row),
  }))
}

/** Returns the DNS records that a shop's domain needs: one proves ownership, and one points the domain to this service. */
function domainRecordsOf(
  context: Pick<Context, 'services' | 'publicUrl'>,
  account: { id: string; storefront_domain: string | null },
) {
  const { id, storefront_domain: domain } = account
  if (domain === null) return []
  const { hostname: here } = new URL(context.publicUrl)
  // A CNAME record cannot point to an IP address, and the service may have no host name.
  const way = isIP(here) === 0 ? [{ type: 'CNAME' as const, name: domain, value: here }] : []
  return [recordOf(context, SHOP_DOMAIN, { id, domain }), ...way]
}

const { retrieve, update } = verbs(Account)

export const account = resource(Account, {
  derive: deriveAccounts,
  jobs: [returnLostCredits, grantLater, verifyStorefront],
  operations: [
    retrieve({ summary: 'Show the account the token belongs to', path: '/account', find: currentAccount }),
    update({
      summary: 'Change account settings',
      description:
        'Requires the role owner or admin, else 403. A subdomain that another account has, or that is reserved for the service, such as www or admin, is 422. A storefront_domain that another shop or site has verified comes here once it has this account’s record and no longer the other’s.',
      path: '/account',
      inTurn: true,
      find: currentAccount,
      rule: updateAccount,
    }),
  ],
})
