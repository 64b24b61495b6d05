import { isIP } from 'node:net'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import { recordOf, SHOP_DOMAIN } from '../../content/domain-names.ts'
import { storefrontOf } from '../../content/storefront-url.ts'
import type { AccountRow } from './account.ts'
import { wholeBranding } from './brand.ts'

export async function deriveAccounts(rows: AccountRow[], context: Context): Promise<Derived[]> {
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
  // A CNAME record cannot point to an IP address, which may be the only address of the service.
  const way = isIP(here) === 0 ? [{ type: 'CNAME' as const, name: domain, value: here }] : []
  return [recordOf(context, SHOP_DOMAIN, { id, domain }), ...way]
}
