import { sql } from 'kysely'
import type { Context } from '../../../records/context.ts'
import { TAX_KEPT } from '../report/figures.ts'
import type { Period } from './period.ts'

/** Most shops sell in one or a few currencies. */
const MOST_CURRENCIES = 8

interface Sums {
  /** Net revenue in minor units: payments less refunds and less the tax that was not refunded. */
  revenue: number
  orders: number
}

export interface Sales {
  currency: string
  now: Sums
  before: Sums
  points: Sums[]
}

export async function salesOf(context: Context, period: Period): Promise<Sales[]> {
  const currencies = await currenciesSold(context)
  if (currencies.length === 0) return []
  const { starts, until, before } = period
  const spans = [...starts.map((from, index) => ({ from, until: starts[index + 1] ?? until })), before]
  const sums = await sumsOf(context, currencies, spans)
  return currencies.map((currency, place) => {
    const points = sums.slice(place * spans.length, (place + 1) * spans.length)
    const past = points.pop()!
    return { currency, now: total(points), before: past, points }
  })
}

/** Returns the currencies of paid orders. The recursive query jumps from one to the next in the index and reads few orders. */
async function currenciesSold({ db, accountId }: Context): Promise<string[]> {
  const { rows } = await sql<{ currency: string }>`
    with recursive used (currency) as (
      select min(currency) from orders where account_id = ${accountId} and paid_at is not null
      union all
      select (
        select min(orders.currency) from orders
        where account_id = ${accountId} and paid_at is not null and orders.currency > used.currency
      ) from used where used.currency is not null
    )
    select currency from used where currency is not null limit ${sql.lit(MOST_CURRENCIES)}
  `.execute(db)
  return rows.map(({ currency }) => currency)
}

interface Span {
  from: string
  until: string
}

/** Returns the sums ordered by currency, then span. Each subquery reads one range of the index, so nothing is sorted. */
async function sumsOf({ db, accountId }: Context, currencies: string[], spans: Span[]): Promise<Sums[]> {
  const parts = currencies.flatMap((currency) =>
    spans.map(
      ({ from, until }) => sql`
        select coalesce(sum(amount - amount_refunded - (${TAX_KEPT})), 0) as revenue, count(*) as orders from orders
        where account_id = ${accountId} and currency = ${currency} and paid_at >= ${from} and paid_at < ${until}`,
    ),
  )
  const numbered = parts.map((part, place) => sql`select ${sql.lit(place)} as place, sums.* from (${part}) as sums`)
  const all = sql.join(numbered, sql` union all `)
  const { rows } = await sql<Sums & { place: number }>`${all}`.execute(db)
  const sums = rows.toSorted((one, other) => one.place - other.place)
  return sums.map(({ revenue, orders }) => ({ revenue, orders }))
}

function total(points: Sums[]): Sums {
  return points.reduce(
    (sum, { revenue, orders }) => ({ revenue: sum.revenue + revenue, orders: sum.orders + orders }),
    { revenue: 0, orders: 0 },
  )
}
