import { sql } from 'kysely'
import type { Context } from '../../records/context.ts'
import { rowsOf } from '../../records/rows-of.ts'

/** Counts the orders in a span that moved no money, by currency. Empty for test accounts, whose orders never move money. */
export async function simulatedIn(
  context: Context,
  { from, until }: { from: string; until: string },
): Promise<Map<string, number>> {
  if (context.test) return new Map()
  const rows = await rowsOf(context, 'orders')
    .select(['currency', sql<number>`count(*)`.as('count')])
    // Repeats the condition of the partial index, so that the database uses the index.
    .where(sql<boolean>`(simulated = 1 or processor = 'test')`)
    .where('paid_at', '>=', from)
    .where('paid_at', '<', until)
    .groupBy('currency')
    .execute()
  return new Map(rows.map(({ currency, count }) => [currency, count]))
}
