import { changeRow } from '../../../../records/records.ts'
import { SHOP_DOMAIN } from '../../../content/domain-names.ts'
import { type DomainHolder, domainCheck } from '../../../content/own-domain.ts'
import { Account, type AccountRow } from '../account.ts'
import { currentAccount } from '../current.ts'

export function domainOf({
  id,
  storefront_domain: domain,
  verified_storefront_domain: verified,
  storefront_domain_checks: checks,
}: AccountRow) {
  return { id, domain, verified, checks }
}

export function domainColumns({ verified, checks }: { verified: string | null; checks: number }) {
  return { verified_storefront_domain: verified, storefront_domain_checks: checks }
}

const shopDomain: DomainHolder = {
  kind: SHOP_DOMAIN,
  find: async (context) => domainOf(await currentAccount(context)),
  /** Emits `account.updated`, because a new domain changes all URLs of the shop. */
  async change(context, _, change) {
    const account = await currentAccount(context)
    await context.remember(Account, [account])
    context.emit(Account, 'updated', await changeRow(context, Account, account, domainColumns(change)))
  },
}

export const verifyStorefront = domainCheck(shopDomain, 'account.updated')
