import type { Bill } from '../../../../format/bill.ts'
import { counted } from '../../../../format/counts.ts'
import { isolated } from '../../../../format/direction.ts'
import { everyInterval } from '../../../../format/intervals.ts'
import { formatDay } from '../../../../format/moments.ts'
import { formatMoney } from '../../../../format/money.ts'
import { billFacts, type Fact, type Letter, type Part, reach, type Shop, subjectLine, words } from './letter.ts'
import type { RenewalTerms } from './renewal-terms.ts'
import { lineOf, type SoldLine } from './sold-line.ts'
import { type TaxFacts, taxFacts } from './tax-facts.ts'

/** A paid order, with amounts in minor units of `currency`. */
export interface ReceiptData {
  order: string
  /** Whether the order pays for a later period of a subscription. */
  isRenewal: boolean
  paidAt: string
  currency: string
  /** The amounts are those before the discount. */
  lines: SoldLine[]
  setupFee: number
  discount: { code: string | null; amount: number } | null
  /** Absent if no tax was determined. */
  taxes?: Bill['taxes']
  taxInclusive?: boolean
  tax?: TaxFacts | null
  total: number
  /** Null if nothing renews. */
  renewal: RenewalTerms | null
  /** The page with the purchases; null or absent if they give access to nothing. */
  accessUrl?: string | null
}

/** For a trial, the letter contains its terms, and a bill only if something was paid. */
export function receiptLetter(data: ReceiptData, shop: Shop): Letter {
  const { total, renewal } = data
  if (renewal?.trialEndsAt) {
    const trial = { ...renewal, trialEndsAt: renewal.trialEndsAt }
    return trialStartedLetter(trial, shop, [...(total === 0 ? [] : billOf(data, shop)), ...accessLink(data)])
  }
  return orderLetter(data, shop)
}

/** `bought` lists what was paid at the start, with a link to it. */
function trialStartedLetter(
  trial: RenewalTerms & { trialEndsAt: string },
  shop: Shop,
  bought: readonly Part[],
): Letter {
  const [product, day] = [isolated(trial.product), formatDay(trial.trialEndsAt, shop.timeZone)]
  return {
    subject: subjectLine(`Your trial of ${product} has started`),
    preview: `Until ${day}`,
    heading: 'Your trial has started',
    parts: [words(`Your trial of ${product} lasts until ${day}.`), ...bought, ...whatFollows(trial, day, shop)],
  }
}

function whatFollows(trial: RenewalTerms, day: string, shop: Shop): Part[] {
  if (trial.nextAt === null) return [words('It ends then and will not continue. Nothing more will be charged.')]
  return [{ kind: 'facts', rows: chargeFacts(trial, day) }, ...howToCancel(day, shop)]
}

function chargeFacts({ amount, currency, card, installmentsLeft, interval, intervalCount }: RenewalTerms, day: string) {
  const every = everyInterval({ interval, interval_count: intervalCount })
  const renews =
    installmentsLeft === null ? `${every} until you cancel` : `${counted(installmentsLeft, 'payment')}, ${every}`
  const rows: Fact[] = [
    { label: 'Trial ends', value: day },
    { label: 'First payment', value: `${formatMoney(amount, currency)} on ${day}` },
    ...(amount === 0 ? [] : [{ label: 'Charged to', value: card ?? 'your saved card' }]),
    ...(installmentsLeft === 1 ? [] : [{ label: 'Repeats', value: renews }]),
  ]
  return rows
}

function howToCancel(day: string, shop: Shop): Part[] {
  const free = `If you cancel before ${day}, that payment is not made.`
  if (shop.purchasesUrl === undefined) return [words(`${free} To cancel, ${reach(shop)}.`)]
  return [
    words(`${free} You can cancel at any time on the page of your purchases.`),
    { kind: 'link', label: 'View or cancel the trial', url: shop.purchasesUrl },
  ]
}

function orderLetter(data: ReceiptData, shop: Shop): Letter {
  const { order, isRenewal, paidAt, currency, total, renewal } = data
  const day = formatDay(paidAt, shop.timeZone)
  return {
    subject: subjectLine(`Your receipt from ${isolated(shop.name)}`),
    preview: `${formatMoney(total, currency)} on ${day}, order ${order}`,
    heading: isRenewal ? 'Your subscription was renewed' : 'Thank you for your order',
    parts: [...billOf(data, shop), ...accessLink(data), ...(renewal ? [words(renewalWords(renewal, shop))] : [])],
  }
}

function billOf(data: ReceiptData, { timeZone }: Shop): Part[] {
  const { order, paidAt, currency, lines } = data
  const day = formatDay(paidAt, timeZone)
  return [
    facts({ label: 'Date', value: day }, { label: 'Order', value: order }, ...taxFacts(data.tax ?? null)),
    { kind: 'lines', rows: lines.map((line) => lineOf(line, currency)), totals: totalsOf(data) },
  ]
}

function accessLink({ accessUrl }: ReceiptData): Part[] {
  return accessUrl ? [{ kind: 'link', label: 'Open your purchases', url: accessUrl }] : []
}

function facts(...rows: Fact[]): Part {
  return { kind: 'facts', rows }
}

function totalsOf({
  currency,
  lines,
  setupFee,
  discount,
  taxes = [],
  taxInclusive = false,
  total,
}: ReceiptData): Fact[] {
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, setupFee)
  const bill = { currency, subtotal, setupFee, discount, taxes, taxInclusive, total, totalLabel: 'Total paid' }
  return billFacts({ ...bill, lines: lines.length })
}

function renewalWords(terms: RenewalTerms, shop: Shop): string {
  const { nextAt, installmentsLeft } = terms
  const product = isolated(terms.product)
  if (nextAt === null) return `This was the last payment for ${product}. Nothing more will be charged.`
  const amount = formatMoney(terms.amount, terms.currency)
  const every = everyInterval({ interval: terms.interval, interval_count: terms.intervalCount })
  const day = formatDay(nextAt, shop.timeZone)
  if (installmentsLeft === 1) return `One more payment for ${product} will follow: ${amount} on ${day}.`
  if (installmentsLeft !== null)
    return `${installmentsLeft} more payments for ${product} will follow: ${amount} ${every}. The next is on ${day}.`
  const cancel = shop.purchasesUrl
    ? 'You can cancel at any time on the page of your purchases.'
    : `To cancel, ${reach(shop)}.`
  return `${product} renews at ${amount} ${every} until you cancel. The next payment is on ${day}. ${cancel}`
}
