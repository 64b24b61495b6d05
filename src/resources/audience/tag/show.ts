import { sql } from 'kysely'
import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import { countByTag } from '../customer/tag_links.ts'
import type { Tag } from './tag.ts'

/** `customers_count` in SQL, for the rows of a list. */
export const CUSTOMERS_COUNT = sql`(
  select coalesce(sum(customers), 0) from customer_tags_counts as counts
  where counts.account_id = tags.account_id and counts.tag_id = tags.id
)`

export async function deriveCustomersCount(rows: Row<typeof Tag>[], context: Context): Promise<Derived[]> {
  const ids = rows.map((row) => row.id)
  const counts = await countByTag(context, ids)
  return ids.map((id) => ({ customers_count: counts.get(id) ?? 0 }))
}
