import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { findRow, findRows } from '../../../records/records.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { queueInvoice } from '../../messages/email/service-mail.ts'
import type { InvoiceData } from '../../messages/email/templates/invoice.ts'
import { letterTaxes } from '../checkout/tax/letter.ts'
import { soldName } from '../sold-name.ts'
import { Invoice, type InvoiceRow } from './invoice.ts'
import { paymentUrl } from './show.ts'

/** This is a job, so that the request that creates the invoice does not wait for the e-mail. */
export const sendInvoice = dueJob('invoice.send', {
  emits: ['email.created'],
  async foresee(context: Context, sent: { invoice: string }[]) {
    const ids = sent.map(({ invoice }) => invoice)
    const invoices = [...(await findRows(context, Invoice, ids)).values()]
    const open = invoices.filter(({ status }) => status === 'open' || status === 'past_due')
    return open.map(({ email_address: to }) => ({ kind: 'email', to }))
  },
  async work(context: Context, { invoice: id }: { invoice: string }) {
    const invoice = await findRow(context, Invoice, id)
    if (invoice?.status !== 'open' && invoice?.status !== 'past_due') return
    await mailInvoice(context, invoice)
  },
})

/** Mails an unpaid invoice. If `awaited` is set, throws a 429 when too many such e-mails were sent. */
export async function mailInvoice(context: Context, invoice: InvoiceRow, { awaited = false } = {}) {
  const letter = { ...letterOf(context, invoice), ...(await letterTaxes(context, invoice)) }
  return queueInvoice(context, { ...(await recipientOf(context, invoice)), awaited }, letter)
}

/** Links the e-mail to the customer only if it goes to the customer's own address. */
async function recipientOf(context: Context, { customer, email_address }: InvoiceRow) {
  const known = customer === null ? undefined : await findRow(context, Customer, customer)
  return { to: email_address, customer: known?.email === email_address ? known.id : null }
}

function letterOf(context: Context, invoice: InvoiceRow): InvoiceData {
  const { number, customer_name, description, amount, currency, due_at } = invoice
  const line = invoice.line!
  const setupFee = line.recurring?.setup_fee_amount ?? 0
  const added = invoice.tax_inclusive ? 0 : invoice.amount_tax
  return {
    ...{ number, description, currency, setupFee },
    customerName: customer_name,
    line: {
      name: soldName(line),
      quantity: line.quantity,
      unitAmount: line.unit_amount ?? 0,
      amount: amount - setupFee - added,
    },
    total: amount,
    dueAt: due_at,
    paymentUrl: paymentUrl(context, invoice),
  }
}
