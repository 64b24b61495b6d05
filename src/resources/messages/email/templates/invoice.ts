import type { Bill } from '../../../../format/bill.ts'
import { isolated } from '../../../../format/direction.ts'
import { formatDay } from '../../../../format/moments.ts'
import { formatMoney } from '../../../../format/money.ts'
import { billFacts, type Fact, type Letter, type Shop, subjectLine, words } from './letter.ts'
import { lineOf, type SoldLine } from './sold-line.ts'
import { type TaxFacts, taxFacts } from './tax-facts.ts'

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
  const { number, description, line, currency, paymentUrl } = data
  const total = formatMoney(data.total, currency)
  const due = formatDay(data.dueAt, shop.timeZone)
  return {
    subject: subjectLine(`Invoice ${number} from ${isolated(shop.name)}`),
    preview: `${total}, due on ${due}`,
    heading: `Invoice ${number}`,
    parts: [
      { kind: 'facts', rows: [...billedTo(data), { label: 'Due', value: due }, ...taxFacts(data.tax ?? null)] },
      ...(description === null ? [] : [words(description)]),
      { kind: 'lines', rows: [lineOf(line, currency)], totals: totalsOf(data) },
      { kind: 'link', label: `Pay ${total}`, url: paymentUrl },
    ],
  }
}

function billedTo({ customerName }: InvoiceData): Fact[] {
  return customerName === null ? [] : [{ label: 'Billed to', value: customerName }]
}

function totalsOf({ setupFee, currency, line, taxes = [], taxInclusive = false, total }: InvoiceData): Fact[] {
  const subtotal = line.amount + setupFee
  return billFacts({ currency, subtotal, setupFee, taxes, taxInclusive, total, totalLabel: 'Total due' })
}
