import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import type { CustomerRow } from './customer.ts'
import { tagsByCustomer } from './tag_links.ts'

export async function deriveTags(rows: CustomerRow[], context: Context): Promise<Derived[]> {
  const ids = rows.map((row) => row.id)
  const tags = await tagsByCustomer(context, ids)
  return ids.map((id) => ({ tags: tags.get(id) }))
}
