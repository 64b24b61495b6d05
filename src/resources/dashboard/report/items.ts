import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../../../records/context.ts'
import { TAX_KEPT } from './figures.ts'
import { type Part, partsOf, type Range } from './range.ts'

/** What lines of one product, or of one price, sum to. */
export interface LineSums {
  gross: number
  discounts: number
  refunds: number
  tax: number
  orders: number
  units: number
}

export const LINE_SUMS: readonly (keyof LineSums)[] = ['gross', 'discounts', 'refunds', 'tax', 'orders', 'units']

export interface SoldLines extends LineSums {
  currency: string
  /** The product or the price. */
  key: string
}

/** What was sold of each product or price in a range, part by part as `soldIn`; the same key may come several times. */
export async function* linesSoldIn(
  context: Context,
  range: Range,
  of: 'product' | 'price_variant',
  currency: string | undefined,
): AsyncGenerator<SoldLines> {
  for (const part of partsOf(range)) {
    yield* await linesOf(context, part, of, currency)
    await nextTurn()
  }
}

async function linesOf(
  { db, accountId }: Context,
  { from, until }: Part,
  of: 'product' | 'price_variant',
  currency: string | undefined,
): Promise<SoldLines[]> {
  const { rows } = await sql<Record<string, string | number>>`
    select currency, ${sql.ref(of)} as sold, sum(amount) as gross, sum(amount_discount) as discounts,
      sum(amount_refunded) as refunds, sum(${TAX_KEPT}) as tax, sum(quantity) as units, count(distinct "order") as orders
    from order_items
    where account_id = ${accountId} and paid_at >= ${from} and paid_at < ${until}
      ${currency === undefined ? sql`` : sql`and currency = ${currency}`}
    group by 1, 2
  `.execute(db)
  return rows.map((row) => ({
    currency: String(row.currency),
    key: String(row.sold),
    gross: Number(row.gross),
    discounts: Number(row.discounts),
    refunds: Number(row.refunds),
    tax: Number(row.tax),
    orders: Number(row.orders),
    units: Number(row.units),
  }))
}
