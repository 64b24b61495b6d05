import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import { storefrontUrl } from '../storefront_url.ts'
import type { LegalPageRow } from './legal_page.ts'

export async function deriveLegalPages(rows: LegalPageRow[], context: Context): Promise<Derived[]> {
  const storefront = await storefrontUrl(context)
  return rows.map(({ slug }) => ({ url: inOnePiece(storefront, '/legal/', slug) }))
}
