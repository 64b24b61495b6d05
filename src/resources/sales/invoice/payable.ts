import { ApiError } from '../../../contract/declarations/errors.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { changeRow, findRow, requireRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { Checkout, type CheckoutRow } from '../checkout/checkout.ts'
import { closeCheckout } from '../checkout/close.ts'
import type { OrderRow } from '../order/order.ts'
import { Invoice, type InvoiceRow } from './invoice.ts'

/** Marks an invoice that is still open at its due date as past due; the buyer can still pay it. */
export const markPastDue = dueJob('invoice.past_due', {
  emits: ['invoice.past_due'],
  async work(context: Context, { invoice: id }: { invoice: string }) {
    const invoice = await findRow(context, Invoice, id)
    if (invoice?.status !== 'open' || invoice.due_at > context.now) return
    context.emit(Invoice, 'past_due', await changeRow(context, Invoice, invoice, { status: 'past_due', due_job: null }))
  },
})

/** Throws a 400 with the reason unless a payment of the invoice can start now. */
export async function requirePayableInvoice(context: Context, id: string): Promise<InvoiceRow> {
  const invoice = await requireRow(context, Invoice, id)
  if (invoice.status !== 'open' && invoice.status !== 'past_due')
    throw new ApiError('invalid_state', `Invoice ${invoice.number} is ${invoice.status} and cannot be paid.`)
  if (invoice.paying !== null) throw new ApiError('invalid_state', `Invoice ${invoice.number} is already being paid.`)
  return invoice
}

/** Records the payment in progress, so that no other payment of the invoice can start. */
export async function holdInvoice(context: Context, id: string, payment: string): Promise<void> {
  await changeRow(context, Invoice, await requireRow(context, Invoice, id), { paying: payment })
}

/** The caller emits `invoice.paid`, because it decides the order of the events. */
export async function markInvoicePaid(context: Context, id: string, order: OrderRow): Promise<InvoiceRow> {
  const invoice = await requireRow(context, Invoice, id)
  if (invoice.due_job !== null) await context.cancel(invoice.due_job)
  return changeRow(context, Invoice, invoice, {
    status: 'paid',
    paid_at: context.now,
    order: order.id,
    paying: null,
    due_job: null,
  })
}

/** Abandons the open checkouts of an invoice, except one with a payment in progress. */
export async function abandonCheckouts(context: Context, invoice: InvoiceRow): Promise<void> {
  for (const checkout of await openCheckoutsOf(context, invoice))
    if (checkout.paying === null) await closeCheckout(context, checkout, 'abandoned')
}

/** Returns the open checkout with a payment in progress, or else the newest that has not expired. */
export async function payableCheckoutOf(context: Context, invoice: InvoiceRow): Promise<CheckoutRow | undefined> {
  const open = (await openCheckoutsOf(context, invoice)).filter(
    ({ paying, expires_at }) => paying !== null || expires_at > context.now,
  )
  return open.find(({ paying }) => paying !== null) ?? open[0]
}

async function openCheckoutsOf(context: Context, { id }: InvoiceRow): Promise<CheckoutRow[]> {
  const open = rowsOf(context, 'checkouts').selectAll().where('invoice', '=', id).where('status', '=', 'open')
  return (await open.orderBy('id', 'desc').execute()).map((raw) => decode(Checkout, raw))
}
