import { sql } from 'kysely'
import { integer } from '../../contract/declarations/kinds.ts'
import type { Context } from '../../records/context.ts'
import { rowsOf } from '../../records/rows-of.ts'

export const SIMULATED_ORDERS = integer(
  'Orders in these figures that were paid with test cards or in a provider’s test mode, so no money moved; 0 in test accounts, where none ever does',
  { min: 0, example: 0 },
)

/** Counts the orders of a live account that were paid in a span without any money moving. */
export async function simulatedIn(context: Context, { from, until }: { from: string; until: string }): Promise<number> {
  if (context.test) return 0
  const { count } = await rowsOf(context, 'orders')
    .select(sql<number | string>`count(*)`.as('count'))
    // The condition of the index.
    .where(sql<boolean>`(simulated = 1 or processor = 'test')`)
    .where('paid_at', '>=', from)
    .where('paid_at', '<', until)
    .executeTakeFirstOrThrow()
  return Number(count)
}
