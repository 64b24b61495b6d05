import type { Context } from '../../../records/context.ts'
import { changeRow, requireRow } from '../../../records/records.ts'
import type { OrderRow } from '../order/order.ts'
import { Invoice, type InvoiceRow } from './invoice.ts'

/** Marks an invoice paid by an order. Emitting is left to the caller, who knows the order of events. */
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
