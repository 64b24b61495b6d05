import type { Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import { countByTag } from '../customer/tag_links.ts'
import type { Tag } from './tag.ts'

export async function deriveCustomersCount(rows: Row<typeof Tag>[], context: Context): Promise<Derived[]> {
  const ids = rows.map((row) => row.id)
  const counts = await countByTag(context, ids)
  return ids.map((id) => ({ customers_count: counts.get(id) ?? 0 }))
}
