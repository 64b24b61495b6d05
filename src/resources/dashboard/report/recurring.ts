import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { compileForIds } from '../../../database/compile-once.ts'
import type { Interval } from '../../../format/intervals.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { monthlyAmount } from '../../sales/subscription/calendar.ts'
import { Movements, type Paying } from './movements.ts'
import type { Range } from './range.ts'
import type { Recurring } from './report.ts'

/** The number of subscriptions per query. Other requests can run between two queries. */
const ROWS = 4000

type SubscriptionRow = {
  id: string
  customer: string
  currency: string
  price_variant: string
  amount: number
  first_charged_at: string
  stopped_at: string | null
}

/**
 * Returns the monthly revenue of charged subscriptions and its changes in each step of a range, by currency. A subscription is charged from
 * the end of its trial until it ends, or until its present pause or unpaid state began.
 */
export async function recurringIn(
  context: Context,
  range: Range,
  currency: string | undefined,
): Promise<Map<string, Recurring>> {
  const movements = new Movements(range)
  const billingIntervals = new Map<string, { interval: Interval; count: number }>()
  let last: SubscriptionRow | undefined
  for (;;) {
    const rows = await rowsAfter(context, last, range.span.until, currency)
    await loadBillingIntervals(context, rows, billingIntervals)
    for (const row of rows) movements.add(payingOf(row, billingIntervals))
    if (rows.length < ROWS) return movements.all()
    last = rows.at(-1)
    await nextTurn()
  }
}

function payingOf(
  row: SubscriptionRow,
  billingIntervals: ReadonlyMap<string, { interval: Interval; count: number }>,
): Paying {
  const { customer, currency, price_variant, amount, first_charged_at: from, stopped_at: until } = row
  const { interval, count } = billingIntervals.get(price_variant) ?? { interval: 'month', count: 1 }
  return { customer, currency, from, until, monthly: monthlyAmount(amount, interval, count) }
}

async function rowsAfter(
  { db, accountId }: Context,
  last: SubscriptionRow | undefined,
  until: string,
  currency: string | undefined,
): Promise<SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>`
    select id, customer, currency, price_variant, amount, first_charged_at,
      case status when 'canceled' then ends_at when 'paused' then paused_at when 'unpaid' then unpaid_since end as stopped_at
    from subscriptions
    where account_id = ${accountId} and first_charged_at < ${until} and status <> 'incomplete'
      ${currency === undefined ? sql`` : sql`and currency = ${currency}`}
      ${last ? sql`and (customer, id) > (${last.customer}, ${last.id})` : sql``}
    order by customer, id limit ${sql.lit(ROWS)}
  `.execute(db)
  return rows
}

async function loadBillingIntervals(
  { db, accountId }: Context,
  rows: readonly SubscriptionRow[],
  billingIntervals: Map<string, { interval: Interval; count: number }>,
): Promise<void> {
  const unknown = [...new Set(rows.map(({ price_variant }) => price_variant))].filter((id) => !billingIntervals.has(id))
  for (const { id, recurring_interval, interval_count } of await rhythmsOf(db, accountId, unknown))
    billingIntervals.set(id, { interval: recurring_interval ?? 'month', count: interval_count ?? 1 })
}

const rhythmsOf = compileForIds((db: Context['db'], accountId, ids) =>
  rowsOf({ db, accountId }, 'price_variants')
    .select(['id', 'recurring_interval', 'interval_count'])
    .where('id', 'in', ids),
)
