import { discountOfNext, nextPeriod } from './period.ts'
import type { SubscriptionRow } from './subscription.ts'
import type { DiscountTerms } from './terms.ts'

/** Periods of a day within the longest discount, 36 months. */
const MOST_DISCOUNTED = 1200

/** What a payment of the unpaid period is for, and what is paid after it. */
export interface Upcoming {
  /** Null where the period that was due is over: then one begins with the payment. */
  period: { starts: string; ends: string } | null
  /** Payments that are left, this one included, of how many; null: until it is canceled. */
  instalments: { left: number; all: number } | null
  discount: DiscountTerms | null
  /** How many payments the discount lowers, this one included; null: all of them. */
  discounted: number | null
}

/** What it means to pay the unpaid period of a subscription at this moment, on the terms that were agreed to. */
export function upcomingOf(subscription: SubscriptionRow, now: string): Upcoming {
  const { terms, payments_count, current_period_end: due } = subscription
  const { current_period_start: starts, current_period_end: ends } = nextPeriod(subscription, now)
  const all = terms.installment_count
  return {
    period: starts === due ? { starts: starts!, ends: ends! } : null,
    instalments: all === null ? null : { left: all - payments_count, all },
    discount: terms.discount,
    discounted: discountedFrom(subscription, now),
  }
}

function discountedFrom(subscription: SubscriptionRow, now: string): number | null {
  if (subscription.terms.discount?.duration === 'forever') return null
  let [at, moment, count] = [subscription, now, 0]
  while (count < MOST_DISCOUNTED && discountOfNext(at) !== null) {
    const period = nextPeriod(at, moment)
    moment = period.current_period_start!
    at = { ...at, ...period, first_charged_at: at.first_charged_at ?? moment }
    count += 1
  }
  return count
}
