import type { Noun } from '../contract/declarations/noun.ts'
import { addToOne } from '../database/compile-once.ts'
import { rowCacheOf } from '../database/row-cache.ts'
import { anyTable } from './any-table.ts'
import type { InAccount } from './context.ts'
import { cacheKey } from './records.ts'

/** Adds amounts, which may be negative, to columns of a row with one UPDATE, and updates the cached row. */
export async function addToRow(
  context: InAccount,
  { plural }: Noun,
  id: string,
  added: Record<string, number>,
): Promise<void> {
  const remembered = rowCacheOf(context.db)
  const key = cacheKey(context, id)
  const before = remembered?.get(plural, key)
  await addToOne(anyTable(context), plural, { account_id: context.accountId, id }, added)
  if (!before) return
  const sums = (row: Record<string, unknown>) =>
    Object.entries(added).map(([name, by]) => [name, Number(row[name]) + by])
  remembered?.put(
    plural,
    key,
    before.then((row) => row && { ...row, ...Object.fromEntries(sums(row)) }),
  )
}
