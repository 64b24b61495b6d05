import { formatMoney } from '../../contract/money-text.ts'
import { addMonths } from '../../contract/months.ts'
import type { PricedLine } from '../../resources/sales/checkout/line.ts'
import type { Sheet, ShownDiscount } from '../../resources/sales/checkout/sheet.ts'
import { reductionsOf } from '../../resources/sales/checkout/totals.ts'
import { periodEnd } from '../../resources/sales/subscription/calendar.ts'
import { asDate } from '../parts/dates.ts'

type Cart = Pick<Sheet, 'items' | 'discount' | 'currency' | 'now'>
type Recurring = NonNullable<PricedLine['recurring']>

const DAY_MS = 24 * 60 * 60 * 1000
/** Periods of a day within the longest discount, 36 months. */
const MOST_DISCOUNTED = 1200

/** What a buyer agrees to beyond today's payment, in one or two sentences; null where nothing follows. */
export function termsOf({ items, discount, currency, now }: Cart): string | null {
  const line = items.find((item) => item.line.recurring !== null)?.line
  if (!line?.recurring || line.unit_amount === null) return null
  const { recurring } = line
  const first = firstCharge(recurring, now)
  const payments = paymentsOf(line, discount, first)
  const words = scheduleOf(payments, recurring, currency)
  if (recurring.trial_period_days) return `Free until ${asDate(first)}, then ${words}.`
  const next = asDate(periodEnd(first, recurring, 1))
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}. The first payment is today, the next on ${next}.`
}

/** `every month`, `every 3 months`. */
export function everyInterval({
  interval,
  interval_count: count,
}: Pick<Recurring, 'interval' | 'interval_count'>): string {
  return count === 1 ? `every ${interval}` : `every ${count} ${interval}s`
}

/** Payments at the lower price of a discount, and those after them. */
interface Payments {
  lower: number
  lowerCount: number
  usual: number
}

function firstCharge({ trial_period_days: days }: Recurring, now: string): string {
  if (!days) return now
  return `${new Date(Date.parse(now) + days * DAY_MS).toISOString().slice(0, 19)}Z`
}

function paymentsOf(line: PricedLine, discount: ShownDiscount | null, first: string): Payments {
  const usual = line.unit_amount! * line.quantity
  const lower = discount ? usual - reductionsOf(discount, [usual])[0]! : usual
  const lowerCount = discount && lower < usual ? discountedPeriods(discount, line.recurring!, first) : 0
  return { lower, lowerCount: Math.min(lowerCount, line.recurring!.installment_count ?? lowerCount), usual }
}

/** A repeating discount lowers the periods that start before its months are over. */
function discountedPeriods(
  { duration, duration_in_months }: ShownDiscount,
  recurring: Recurring,
  first: string,
): number {
  if (duration === 'forever') return Number.POSITIVE_INFINITY
  if (duration === 'once') return 1
  const end = addMonths(first, duration_in_months ?? 0)
  let count = 1
  while (count < MOST_DISCOUNTED && periodEnd(first, recurring, count) < end) count += 1
  return count
}

function scheduleOf({ lower, lowerCount, usual }: Payments, recurring: Recurring, currency: string): string {
  const [low, high] = [formatMoney(lower, currency), formatMoney(usual, currency)]
  const every = everyInterval(recurring)
  const all = recurring.installment_count
  if (all !== null) return instalments({ all, lowerCount, low, high, every })
  if (lowerCount === 0) return `${high} ${every} until canceled`
  if (lowerCount === Number.POSITIVE_INFINITY) return `${low} ${every} until canceled, in place of ${high}`
  const beginning =
    lowerCount === 1 ? `for the first ${span(recurring)}` : `${every} for the first ${lowerCount} payments`
  return `${low} ${beginning}, then ${high} ${every} until canceled`
}

interface Instalments {
  all: number
  lowerCount: number
  low: string
  high: string
  every: string
}

function instalments({ all, lowerCount, low, high, every }: Instalments): string {
  if (lowerCount === 0) return `${all} payments of ${high}, one ${every}`
  if (lowerCount >= all) return `${all} payments of ${low}, one ${every}, in place of ${high}`
  return `${all} payments, one ${every}: ${lowerCount} of ${low}, then ${all - lowerCount} of ${high}`
}

function span({ interval, interval_count: count }: Recurring): string {
  return count === 1 ? interval : `${count} ${interval}s`
}
