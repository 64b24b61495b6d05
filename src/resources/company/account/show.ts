import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import { storefrontOf } from '../../content/storefront_url.ts'
import type { AccountRow } from './account.ts'
import { wholeBranding } from './brand.ts'
import { domainRecordsOf } from './storefront_domain/records.ts'

export async function deriveAccounts(rows: AccountRow[], context: Context): Promise<Derived[]> {
  return rows.map((row) => ({
    storefront_url: storefrontOf(context, row),
    storefront_domain_verified: row.verified_storefront_domain !== null,
    storefront_domain_records: domainRecordsOf(context, row),
    branding: wholeBranding(row),
  }))
}
