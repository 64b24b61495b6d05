import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import type { Customer } from './customer.ts'
import { tagsByCustomer } from './tag_links.ts'

export async function deriveTags(rows: Row<typeof Customer>[], context: Context): Promise<Derived[]> {
  const ids = rows.map((row) => row.id)
  const tags = await tagsByCustomer(context, ids)
  return ids.map((id) => ({ tags: tags.get(id) }))
}
