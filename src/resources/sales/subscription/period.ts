import { addMonths } from '../../../contract/values/months.ts'
import type { Line } from '../checkout/line.ts'
import { linesFor, type Taxed, withTax } from '../checkout/tax/apply.ts'
import type { TaxTerms } from '../checkout/tax/terms.ts'
import { totalsOf } from '../checkout/totals.ts'
import { periodEnd } from './calendar.ts'
import type { SubscriptionRow } from './subscription.ts'
import type { DiscountTerms } from './terms.ts'

/** The maximum number of discounted periods: more than the daily periods in 36 months, which is the longest discount. */
export const MOST_DISCOUNTED = 1200

/** A billing period; `periods` is its number since the anchor. */
type SubscriptionPeriod = Pick<SubscriptionRow, 'anchor' | 'periods' | 'current_period_start' | 'current_period_end'>

/**
 * Returns the period that the next payment starts, counted from the anchor so that dates never drift. If that period is over by `now`, a
 * new one begins now and becomes the anchor.
 */
export function nextPeriod(subscription: SubscriptionRow, now: string): SubscriptionPeriod {
  const { anchor, periods, terms } = subscription
  const due = subscription.current_period_end!
  const next = { anchor: anchor ?? due, periods: anchor === null ? 1 : periods + 1 }
  const current_period_end = periodEnd(next.anchor, terms, next.periods)
  if (current_period_end > now) return { ...next, current_period_start: due, current_period_end }
  return { anchor: now, periods: 1, current_period_start: now, current_period_end: periodEnd(now, terms, 1) }
}

/** Whether all installments of the subscription are paid. */
export function isPaidUp({ terms, payments_count }: Pick<SubscriptionRow, 'terms' | 'payments_count'>): boolean {
  return terms.installment_count !== null && payments_count >= terms.installment_count
}

/** Prices the next period as a cart with one line; `tax` comes from `taxOfNext`. */
export function priceOfNext(
  subscription: SubscriptionRow,
  tax: TaxTerms | null,
): Taxed & { discount: string | null; tax: TaxTerms | null } {
  const discount = discountOfNext(subscription)
  const totals = withTax(totalsOf(linesFor([lineOf(subscription)], tax), discount), tax)
  return { ...totals, tax, discount: totals.amount_discount > 0 ? discount!.id : null }
}

/** `once` applies to the first charged period, and `repeating` to periods that start within its months. */
function discountOfNext(subscription: SubscriptionRow): DiscountTerms | null {
  const { terms, first_charged_at, current_period_end } = subscription
  const { discount } = terms
  if (discount === null || discount.duration === 'forever') return discount
  if (first_charged_at === null) return discount
  if (discount.duration === 'once') return null
  return current_period_end! < addMonths(first_charged_at, discount.duration_in_months ?? 0) ? discount : null
}

/** Only the first checkout has a trial and a setup fee. */
function lineOf({ terms, price_variant, product, quantity, currency }: SubscriptionRow): Line {
  const { interval, interval_count, installment_count, product_name, price_variant_name, revoke_after_days } = terms
  return {
    ...{ price_variant, product, quantity, currency, product_name, price_variant_name, revoke_after_days },
    unit_amount: terms.unit_amount,
    tax_code: terms.tax_code ?? null,
    custom: null,
    recurring: { interval, interval_count, installment_count, setup_fee_amount: 0, trial_period_days: null },
  }
}

/** The payment that the unpaid period needs now, and the payments after it. */
export interface Upcoming {
  /** The period that is paid; null if it is over, so that a new period begins with the payment. */
  period: { starts: string; ends: string } | null
  /** The number of payments left, including this one, and of all payments; null if they continue until cancellation. */
  instalments: { left: number; all: number } | null
  discount: DiscountTerms | null
  /** The number of discounted payments, including this one; null if all of them are. */
  discounted: number | null
}

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
