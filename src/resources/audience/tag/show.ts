import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { findRows } from '../../../records/records.ts'
import type { Derived } from '../../../records/resource.ts'
import { Tag } from './tag.ts'

/** The counts of now: a tag that was just made may have been given to customers since. */
export async function deriveCustomersCount(rows: Row<typeof Tag>[], context: Context): Promise<Derived[]> {
  const now = await findRows(
    context,
    Tag,
    rows.map(({ id }) => id),
  )
  return rows.map(({ id }) => ({ customers_count: now.get(id)?.linked_count ?? 0 }))
}
