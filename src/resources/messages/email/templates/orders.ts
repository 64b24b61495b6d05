import type { Bill } from '../../../../format/bill.ts'
import { isolated } from '../../../../format/direction.ts'
import { formatDay, formatMoment } from '../../../../format/moments.ts'
import { formatMoney } from '../../../../format/money.ts'
import { billFacts, type Fact, facts, type Letter, type Shop, subjectLine, words } from './letter.ts'
import { lineOf, type SoldLine } from './sold-line.ts'
import { type TaxFacts, taxFacts } from './tax-facts.ts'

/** A refund, with amounts in minor units of `currency`. */
export interface RefundedData {
  order: string
  name: string
  amount: number
  currency: string
  refundedAt: string
  /** Whether the payment is now fully refunded. */
  isWhole: boolean
}

export function refundedLetter(
  { order, name, currency, refundedAt, isWhole, ...data }: RefundedData,
  shop: Shop,
): Letter {
  const amount = formatMoney(data.amount, currency)
  return {
    subject: subjectLine(`Your refund from ${isolated(shop.name)}`),
    preview: `${amount} for ${name}`,
    heading: 'We have refunded you',
    parts: [
      words(
        `${isolated(shop.name)} has returned ${isWhole ? 'your whole payment' : 'a part of your payment'} for ${isolated(name)}.`,
      ),
      facts(['Amount', amount], ['Date', formatDay(refundedAt, shop.timeZone)], ['Order', order]),
      words('The money goes back to where it came from. Banks take up to ten days to show it.'),
    ],
  }
}

export interface FailedOrderData {
  name: string
  /** In minor units of `currency`. */
  amount: number
  currency: string
  payUrl: string
  /** The expiry of the payment link. */
  until: string
}

export function failedOrderLetter({ name, amount, currency, payUrl, until }: FailedOrderData, shop: Shop): Letter {
  const price = formatMoney(amount, currency)
  return {
    subject: subjectLine(`Your payment to ${isolated(shop.name)} did not go through`),
    preview: `${price} for ${name}`,
    heading: 'Your payment did not go through',
    parts: [
      words(`You wanted to buy ${isolated(name)}, but the payment failed and nothing was charged. You can pay here:`),
      { kind: 'link', label: `Pay ${price}`, url: payUrl },
      words(
        `The page is open until ${formatMoment(until, shop.timeZone)}. If you no longer want it, you do not need to do anything.`,
      ),
    ],
  }
}

/** An unpaid invoice, with amounts in minor units of `currency`. */
export interface InvoiceData {
  /** Formatted like `#00000001`. */
  number: string
  customerName: string | null
  description: string | null
  line: SoldLine
  setupFee: number
  /** Absent if no tax was determined. */
  taxes?: Bill['taxes']
  taxInclusive?: boolean
  tax?: TaxFacts | null
  total: number
  currency: string
  dueAt: string
  paymentUrl: string
}

export function invoiceLetter(data: InvoiceData, shop: Shop): Letter {
  const { number, customerName, description, line, currency, paymentUrl } = data
  const total = formatMoney(data.total, currency)
  const due = formatDay(data.dueAt, shop.timeZone)
  const billedTo = customerName === null ? [] : [{ label: 'Billed to', value: customerName }]
  return {
    subject: subjectLine(`Invoice ${number} from ${isolated(shop.name)}`),
    preview: `${total}, due on ${due}`,
    heading: `Invoice ${number}`,
    parts: [
      { kind: 'facts', rows: [...billedTo, { label: 'Due', value: due }, ...taxFacts(data.tax ?? null)] },
      ...(description === null ? [] : [words(description)]),
      { kind: 'lines', rows: [lineOf(line, currency)], totals: totalsOf(data) },
      { kind: 'link', label: `Pay ${total}`, url: paymentUrl },
    ],
  }
}

function totalsOf({ setupFee, currency, line, taxes = [], taxInclusive = false, total }: InvoiceData): Fact[] {
  const subtotal = line.amount + setupFee
  return billFacts({ currency, subtotal, setupFee, taxes, taxInclusive, total, totalLabel: 'Total due' })
}
