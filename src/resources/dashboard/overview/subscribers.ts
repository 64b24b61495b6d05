import { sql } from 'kysely'
import type { Interval } from '../../../format/intervals.ts'
import type { Context } from '../../../records/context.ts'
import { monthlyAmount } from '../../sales/subscription/calendar.ts'
import { stepOf } from '../step-of.ts'
import type { Period } from './period.ts'

/** Subscriptions to one price that began and ended in the same steps of a period. Step 0 is the time before the period. */
interface SubscriptionGroup {
  currency: string
  interval: Interval
  interval_count: number
  subscriptions: number
  /** The amount of one subscription, in minor units. */
  amount: number
  begun: number
  ended: number
  charged: number
  uncharged: number
}

type GroupRow = Omit<SubscriptionGroup, 'ended' | 'uncharged'> & { status: string; stopped: number }

/** Marks subscriptions without a trial, which are charged from their first day. */
const NO_TRIAL = -1

/** A number at the start of the period and at the end of each step. */
interface Series {
  before: number
  points: number[]
}

export interface Subscribers {
  /** Subscriptions that have not ended, including trials and paused ones. */
  running: Series
  /** The monthly amount of charged subscriptions before discounts, in minor units. */
  recurring: ({ currency: string } & Series)[]
}

/**
 * Returns the number of subscriptions and their monthly amount over a period. A subscription is charged from the end of its trial until it
 * ends, or until its present pause or unpaid state began; earlier pauses are not deducted.
 */
export async function subscribersOf(context: Context, period: Period): Promise<Subscribers> {
  const groups = await groupsOf(context, period)
  const course = (at: (step: number) => number): Series => ({
    before: at(0),
    points: period.starts.map((_, index) => at(index + 1)),
  })
  const currencies = [...new Set(groups.map(({ currency }) => currency))].toSorted()
  const running = course((step) =>
    groups.reduce((sum, one) => sum + (one.begun <= step && one.ended > step ? one.subscriptions : 0), 0),
  )
  const recurring = currencies.map((currency) => {
    const own = groups.filter((one) => one.currency === currency)
    return { currency, ...course((step) => own.reduce((sum, one) => sum + monthly(one, step), 0)) }
  })
  return { running, recurring: recurring.filter(({ before, points }) => before > 0 || points.some(Boolean)) }
}

function monthly(group: SubscriptionGroup, step: number): number {
  const { charged, uncharged, subscriptions, amount, interval, interval_count } = group
  return charged <= step && uncharged > step ? subscriptions * monthlyAmount(amount, interval, interval_count) : 0
}

async function groupsOf({ db, accountId }: Context, period: Period): Promise<SubscriptionGroup[]> {
  const step = (moment: string) => stepOf(sql.ref(moment), [...period.starts, period.until])
  const never = sql.lit(period.starts.length + 1)
  const { rows } = await sql<GroupRow>`
    select coalesce(prices.recurring_interval, 'month') as "interval", coalesce(prices.interval_count, 1) as interval_count, sums.*
    from (
      select price_variant, currency, status, begun, charged, stopped, amount, count(*) as subscriptions
      from (
        select price_variant, currency, status, amount, ${step('created_at')} as begun,
          case when first_charged_at = created_at then ${sql.lit(NO_TRIAL)} else ${step('first_charged_at')} end as charged,
          case status
            when 'canceled' then ${step('ends_at')}
            when 'paused' then ${step('paused_at')}
            when 'unpaid' then ${step('unpaid_since')}
            else ${never}
          end as stopped
        from subscriptions
        where account_id = ${accountId} and status <> 'incomplete'
      ) as steps
      group by price_variant, currency, status, amount, begun, charged, stopped
    ) as sums
    join price_variants as prices on prices.account_id = ${accountId} and prices.id = sums.price_variant
  `.execute(db)
  return rows.map(({ status, stopped, ...group }) => ({
    ...group,
    ended: status === 'canceled' ? stopped : period.starts.length + 1,
    charged: group.charged === NO_TRIAL ? group.begun : group.charged,
    uncharged: stopped,
  }))
}
