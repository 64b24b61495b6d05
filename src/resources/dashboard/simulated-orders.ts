import { sql } from 'kysely'
import type { Context } from '../../records/context.ts'
import { rowsOf } from '../../records/rows-of.ts'

/** The number at which `countSimulated` stops; it means this number or more. */
export const MOST_SIMULATED = 10_000

interface Span {
  from: string
  until: string
}

/** Counts the orders in a span that moved no money, by currency. Empty for test accounts, whose orders never move money. */
export async function simulatedIn(context: Context, span: Span): Promise<Map<string, number>> {
  if (context.test) return new Map()
  const rows = await simulated(context, span)
    .select(['currency', sql<number>`count(*)`.as('count')])
    .groupBy('currency')
    .execute()
  return new Map(rows.map(({ currency, count }) => [currency, count]))
}

/** Like `simulatedIn`, for all currencies together and at most `MOST_SIMULATED`. It reads only the index. */
export async function countSimulated(context: Context, span: Span): Promise<number> {
  if (context.test) return 0
  const some = simulated(context, span).select(sql.lit(1).as('one')).limit(sql.lit(MOST_SIMULATED))
  const { rows } = await sql<{ count: number }>`select count(*) as count from (${some}) as simulated`.execute(
    context.db,
  )
  return rows[0]!.count
}

function simulated(context: Context, { from, until }: Span) {
  return (
    rowsOf(context, 'orders')
      // Repeats the condition of the partial index, so that the database uses the index.
      .where(sql<boolean>`(simulated = 1 or processor = 'test')`)
      .where('paid_at', '>=', from)
      .where('paid_at', '<', until)
  )
}
