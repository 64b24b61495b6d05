import { sql } from 'kysely'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import { countByTag } from '../customer/tag_links.ts'
import type { TagRow } from './tag.ts'

/** `customers_count` in SQL, for the rows of a list. */
export const CUSTOMERS_COUNT = sql`(
  select count(*) from customer_tags
  where customer_tags.account_id = tags.account_id and customer_tags.tag_id = tags.id
)`

export async function deriveCustomersCount(rows: TagRow[], context: Context): Promise<Derived[]> {
  const ids = rows.map((row) => row.id)
  const counts = await countByTag(context, ids)
  return ids.map((id) => ({ customers_count: counts.get(id) ?? 0 }))
}
