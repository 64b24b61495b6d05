import type { TaxRate } from '../../../contract/declarations/tax-rate.ts'
import { addMonths } from '../../../contract/values/months.ts'
import { DAY_MS } from '../../../contract/values/values.ts'
import { everyInterval, intervalWords } from '../../../format/intervals.ts'
import { formatUtcDay } from '../../../format/moments.ts'
import { formatMoney } from '../../../format/money.ts'
import { sentenceCase } from '../../../format/sentences.ts'
import { periodEnd } from '../subscription/calendar.ts'
import { MOST_DISCOUNTED, type Upcoming } from '../subscription/period.ts'
import type { PricedLine, Recurring } from './line.ts'
import type { Sheet, ShownDiscount } from './sheet.ts'
import { ratesFor, taxOf } from './tax/compute.ts'
import { reductionsOf } from './totals.ts'

type PricedSheet = Pick<Sheet, 'items' | 'discount' | 'currency' | 'now' | 'renewal' | 'addedRates'>

interface SubscriptionLine {
  line: PricedLine
  recurring: Recurring
  /** The tax rates that are not included in the price. */
  added: readonly TaxRate[]
}

interface RenewalFacts extends SubscriptionLine {
  renewal: Upcoming
  currency: string
  now: string
}

/** `lower` is the amount of a discounted payment and `usual` that of any other, in minor units. */
interface Payments {
  lower: number
  /** The number of discounted payments; Infinity if all are discounted. */
  lowerCount: number
  usual: number
}

/** `all` is the number of payments; null if they continue until cancellation. */
interface PaymentRhythm {
  every: string
  all: number | null
  /** Describes the discounted payments when later payments cost more. */
  lowered(low: string, count: number): string
}

interface Instalments {
  all: number
  lowerCount: number
  low: string
  high: string
  every: string
}

const TAX_WORDS = 'Tax is included; later payments have the tax of their day.'

/** Describes in one or two sentences the later payments that a buyer agrees to; null if nothing is charged later. */
export function termsOf(cart: PricedSheet): string | null {
  const line = cart.items.find((item) => item.line.recurring !== null)?.line
  if (!line?.recurring || line.unit_amount === null) return null
  const { recurring } = line
  const added = ratesFor(cart.addedRates, line.tax_code)
  const words = wordsOf(cart, { line, recurring, added })
  return added.length > 0 ? `${words} ${TAX_WORDS}` : words
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

/** Describes the overdue period of a subscription that a payment covers, and the payments after it. */
function renewalTerms({ line, recurring, renewal, currency, now, added }: RenewalFacts): string {
  const payments = withTaxOn(renewalPaymentsOf(line, renewal), added)
  const { period, instalments } = renewal
  const isLast = instalments?.left === 1
  const amount = formatMoney(payments.lowerCount > 0 ? payments.lower : payments.usual, currency)
  const every = everyInterval(recurring)
  const lowered = (low: string, count: number) =>
    count === 1 ? `${low} now` : `${low} ${every} for the next ${count} payments`
  const rhythm = { every, all: instalments?.left ?? null, lowered }
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

function renewalPaymentsOf(
  { unit_amount, quantity }: PricedLine,
  { discount, discounted, instalments }: Upcoming,
): Payments {
  const usual = (unit_amount ?? 0) * quantity
  const lower = discount ? usual - reductionsOf(discount, [usual])[0]! : usual
  const lowerCount = lower < usual ? (discounted ?? Number.POSITIVE_INFINITY) : 0
  return { lower, lowerCount: Math.min(lowerCount, instalments?.left ?? lowerCount), usual }
}

/** `added` are the tax rates that prices do not include. */
function withTaxOn({ lower, lowerCount, usual }: Payments, added: readonly TaxRate[]): Payments {
  const taxed = (amount: number) => taxOf(amount, added).taxes.reduce((sum, tax) => sum + tax, amount)
  return { lower: taxed(lower), lowerCount, usual: taxed(usual) }
}

/** Describes the payments and their interval, without a full stop. */
function scheduleOf({ lower, lowerCount, usual }: Payments, rhythm: PaymentRhythm, currency: string): string {
  const [low, high] = [formatMoney(lower, currency), formatMoney(usual, currency)]
  const { every, all, lowered } = rhythm
  if (all !== null) return instalmentsOf({ all, lowerCount, low, high, every })
  if (lowerCount === 0) return `${high} ${every} until canceled`
  if (lowerCount === Number.POSITIVE_INFINITY) return `${low} ${every} until canceled, in place of ${high}`
  return `${lowered(low, lowerCount)}, then ${high} ${every} until canceled`
}

function instalmentsOf({ all, lowerCount, low, high, every }: Instalments): string {
  if (lowerCount === 0) return `${all} payments of ${high}, one ${every}`
  if (lowerCount >= all) return `${all} payments of ${low}, one ${every}, in place of ${high}`
  return `${all} payments, one ${every}: ${lowerCount} of ${low}, then ${all - lowerCount} of ${high}`
}
