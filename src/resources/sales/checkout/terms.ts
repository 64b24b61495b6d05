import type { TaxRate } from '../../../contract/declarations/tax-rate.ts'
import { addMonths } from '../../../contract/values/months.ts'
import { everyInterval, intervalWords } from '../../../format/intervals.ts'
import { formatUtcDay } from '../../../format/moments.ts'
import { sentenceCase } from '../../../format/sentences.ts'
import { periodEnd } from '../subscription/calendar.ts'
import type { PricedLine, Recurring } from './line.ts'
import { type Payments, scheduleOf, withTaxOn } from './payment-schedule.ts'
import { renewalTerms } from './renewal-terms.ts'
import type { Sheet, ShownDiscount } from './sheet.ts'
import { ratesFor } from './tax/compute.ts'
import { reductionsOf } from './totals.ts'

type PricedSheet = Pick<Sheet, 'items' | 'discount' | 'currency' | 'now' | 'renewal' | 'addedRates'>

const DAY_MS = 24 * 60 * 60 * 1000
/** The maximum number of discounted periods: more than the daily periods in 36 months, which is the longest discount. */
const MOST_DISCOUNTED = 1200

/** Describes in one or two sentences the later payments that a buyer agrees to; null if nothing is charged later. */
export function termsOf(cart: PricedSheet): string | null {
  const line = cart.items.find((item) => item.line.recurring !== null)?.line
  if (!line?.recurring || line.unit_amount === null) return null
  const { recurring } = line
  const added = ratesFor(cart.addedRates, line.tax_code)
  const words = wordsOf(cart, { line, recurring, added })
  return added.length > 0 ? `${words} ${TAX_WORDS}` : words
}

const TAX_WORDS = 'Tax is included; later payments have the tax of their day.'

interface SubscriptionLine {
  line: PricedLine
  recurring: Recurring
  /** The tax rates that are not included in the price. */
  added: readonly TaxRate[]
}

function wordsOf(
  { discount, currency, now, renewal }: PricedSheet,
  { line, recurring, added }: SubscriptionLine,
): string {
  if (renewal) return renewalTerms({ line, recurring, renewal, currency, now, added })
  const first = firstCharge(recurring, now)
  const payments = withTaxOn(paymentsOf(line, discount, first), added)
  const every = everyInterval(recurring)
  const rhythm = { every, all: recurring.installment_count, lowered: loweredIn(recurring) }
  const words = scheduleOf(payments, rhythm, currency)
  if (recurring.trial_period_days) return `Free until ${formatUtcDay(first)}, then ${words}.`
  const next = formatUtcDay(periodEnd(first, recurring, 1))
  return `${sentenceCase(words)}. The first payment is today, the next on ${next}.`
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

/** A repeating discount applies to the periods that start before its months are over. */
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

function loweredIn(recurring: Recurring) {
  return (low: string, count: number) =>
    count === 1
      ? `${low} for the first ${intervalWords(recurring)}`
      : `${low} ${everyInterval(recurring)} for the first ${count} payments`
}
