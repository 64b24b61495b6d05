import type { Context } from '../../../records/context.ts'
import { changeRow, requireRow } from '../../../records/records.ts'
import { giveUp } from '../payment/jobs.ts'
import { abandonCheckouts } from './checkouts.ts'
import { Invoice, type InvoiceRow } from './invoice.ts'

/** Voids an invoice in any status. Money that still arrives from a payment in progress is refunded. */
export async function voidInvoice(context: Context, invoice: InvoiceRow): Promise<InvoiceRow> {
  if (invoice.status === 'void') return invoice
  if (invoice.due_job !== null) await context.cancel(invoice.due_job)
  if (invoice.paying !== null) await giveUp(context, invoice.paying, 'The invoice was voided.')
  await abandonCheckouts(context, invoice)
  const released = await requireRow(context, Invoice, invoice.id)
  const voided = await changeRow(context, Invoice, released, {
    status: 'void',
    voided_at: context.now,
    due_job: null,
  })
  context.emit(Invoice, 'voided', voided)
  return voided
}
