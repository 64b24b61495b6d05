import { sql } from 'kysely'
import type { Context } from '../../records/context.ts'
import { rowsOf } from '../../records/rows-of.ts'

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
