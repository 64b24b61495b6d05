import { formatDay } from '../../../format/moments.ts'
import { formatMoney } from '../../../format/money.ts'
import type { Context } from '../../../records/context.ts'
import { currentAccount } from '../../company/account/current.ts'
import {
  buyerLines,
  type Paper,
  type PaperFact,
  type PaperLine,
  type PaperTax,
  sellerOf,
  taxNotes,
  taxTotals,
} from '../paper.ts'
import { takesTestCards } from '../payment/provider.ts'
import { soldName } from '../sold-name.ts'
import type { InvoiceRow } from './invoice.ts'

/** Shows the invoice as billed, with the current name, e-mail address and VAT id of the shop. */
export async function invoicePaper(context: Context, invoice: InvoiceRow): Promise<Paper> {
  const account = await currentAccount(context)
  const tax: PaperTax = invoice
  const day = (moment: string) => formatDay(moment, account.timezone)
  return {
    title: 'Invoice',
    number: invoice.number,
    test: await takesTestCards(context),
    shop: sellerOf(account),
    buyer: buyerLines(invoice.customer_name, invoice.email_address, tax),
    facts: [
      { label: 'Invoice', value: invoice.number },
      { label: 'Date', value: day(invoice.created_at) },
      { label: 'Due', value: day(invoice.due_at) },
      ...stateOf(invoice, day),
    ],
    lines: linesOf(invoice, tax),
    totals: totalsOf(invoice, tax),
    notes: [...(invoice.description === null ? [] : [invoice.description]), ...taxNotes(tax)],
    at: invoice.created_at,
  }
}

function stateOf({ paid_at, voided_at }: InvoiceRow, day: (moment: string) => string): PaperFact[] {
  if (voided_at !== null) return [{ label: 'Canceled on', value: day(voided_at) }]
  return paid_at === null ? [] : [{ label: 'Paid on', value: day(paid_at) }]
}

/** Tax that is added to prices is left out of these amounts, because it is printed in lines of its own. */
function linesOf(invoice: InvoiceRow, { amount_tax = 0, tax_inclusive }: PaperTax): PaperLine[] {
  const { line, quantity, amount, currency } = invoice
  const name = line === null ? 'Item' : soldName(line)
  const fee = line?.recurring?.setup_fee_amount ?? 0
  const gross = amount - fee - (tax_inclusive ? 0 : amount_tax)
  const detail = quantity > 1 && line?.unit_amount ? `${quantity} × ${formatMoney(line.unit_amount, currency)}` : null
  const sold = { name, detail, quantity, amount: formatMoney(gross, currency) }
  if (fee === 0) return [sold]
  return [sold, { name: `Setup fee, ${name}`, detail: null, quantity: 1, amount: formatMoney(fee, currency) }]
}

function totalsOf({ amount, currency, status }: InvoiceRow, tax: PaperTax): PaperFact[] {
  const taxes = taxTotals(tax)
  const net = amount - (tax.tax_inclusive ? 0 : (tax.amount_tax ?? 0))
  const label = status === 'paid' ? 'Total paid' : 'Total due'
  const total = { label, value: formatMoney(amount, currency) }
  return taxes.length === 0 ? [total] : [{ label: 'Subtotal', value: formatMoney(net, currency) }, ...taxes, total]
}
