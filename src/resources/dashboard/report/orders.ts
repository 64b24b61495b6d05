import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../../../records/context.ts'
import { valueAt } from '../step-of.ts'
import { COUNTRY, type Sums, TAX_KEPT } from './figures.ts'
import { type Part, partsOf, type Span } from './range.ts'

export interface SoldGroup extends Sums {
  currency: string
  /** The index of the step in the range. */
  step: number
  channel: string
  country: string | null
  /** Buyers whose previous order was before this step. `returningBuyers` counts those whose previous order was before the range. */
  returningInStep: number
}

/** Yields the sums of paid orders in a range. The index is read in parts, so that other requests can run in between. */
export async function* soldIn(
  context: Context,
  range: { steps: readonly Span[]; span: Span },
  currency: string | undefined,
): AsyncGenerator<SoldGroup> {
  for (const part of partsOf(range)) {
    yield* await groupsOf(context, range, part, currency)
    await nextTurn()
  }
}

async function groupsOf(
  { db, accountId }: Context,
  { span }: { span: Span },
  part: Part,
  currency: string | undefined,
): Promise<SoldGroup[]> {
  const ends = part.steps.slice(1).map(({ from }) => from)
  const paidAt = sql.ref('paid_at')
  const places = part.steps.map(({ place }) => sql.lit(place))
  const begins = part.steps.map(({ from }) => sql`${from}`)
  const [step, begin] = [valueAt(paidAt, ends, places), valueAt(paidAt, ends, begins)]
  const { rows } = await sql<SoldGroup>`
    select ${step} as step, currency, channel, ${COUNTRY} as country,
      sum(amount) as gross, sum(amount_discount) as discounts, sum(amount_refunded) as refunds, sum(${TAX_KEPT}) as tax,
      count(*) as orders, sum(case when amount = 0 then 1 else 0 end) as free,
      sum(case when previous_paid_at is null then 1 else 0 end) as "newBuyers",
      sum(case when previous_paid_at < ${span.from} then 1 else 0 end) as "returningBuyers",
      sum(case when previous_paid_at < ${begin} then 1 else 0 end) as "returningInStep"
    from orders
    where account_id = ${accountId} and paid_at >= ${part.from} and paid_at < ${part.until}
      ${currency === undefined ? sql`` : sql`and currency = ${currency}`}
    group by 1, 2, 3, 4
  `.execute(db)
  return rows
}
