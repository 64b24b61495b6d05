import type { TaxRate } from '../../../contract/declarations/tax-rate.ts'
import { everyInterval } from '../../../format/intervals.ts'
import { formatUtcDay } from '../../../format/moments.ts'
import { formatMoney } from '../../../format/money.ts'
import { periodEnd } from '../subscription/calendar.ts'
import type { Upcoming } from '../subscription/period.ts'
import type { PricedLine, Recurring } from './line.ts'
import { type Payments, scheduleOf, withTaxOn } from './payment-schedule.ts'
import { reductionsOf } from './totals.ts'

interface RenewalFacts {
  line: PricedLine
  recurring: Recurring
  renewal: Upcoming
  currency: string
  now: string
  /** The tax rates that are not included in the price. */
  added: readonly TaxRate[]
}

/** Describes the overdue period of a subscription that a payment covers, and the payments after it. */
export function renewalTerms({ line, recurring, renewal, currency, now, added }: RenewalFacts): string {
  const payments = withTaxOn(paymentsOf(line, renewal), added)
  const { period, instalments } = renewal
  const isLast = instalments?.left === 1
  const amount = formatMoney(payments.lowerCount > 0 ? payments.lower : payments.usual, currency)
  const every = everyInterval(recurring)
  const rhythm = { every, all: instalments?.left ?? null, lowered: loweredIn(every) }
  const schedule = isLast
    ? `The last of ${instalments.all} payments, ${amount}`
    : scheduleOf(payments, rhythm, currency)
  const ends = period?.ends ?? periodEnd(now, recurring, 1)
  const about = period
    ? `This payment is for ${formatUtcDay(period.starts)} to ${formatUtcDay(ends)}`
    : 'The period begins with this payment'
  if (isLast) return `${schedule}. ${about}${period ? '' : ` and ends on ${formatUtcDay(ends)}`}.`
  return `${schedule}. ${about}, and the next is due on ${formatUtcDay(ends)}.`
}

function paymentsOf({ unit_amount, quantity }: PricedLine, { discount, discounted, instalments }: Upcoming): Payments {
  const usual = (unit_amount ?? 0) * quantity
  const lower = discount ? usual - reductionsOf(discount, [usual])[0]! : usual
  const lowerCount = lower < usual ? (discounted ?? Number.POSITIVE_INFINITY) : 0
  return { lower, lowerCount: Math.min(lowerCount, instalments?.left ?? lowerCount), usual }
}

function loweredIn(every: string) {
  return (low: string, count: number) => (count === 1 ? `${low} now` : `${low} ${every} for the next ${count} payments`)
}
