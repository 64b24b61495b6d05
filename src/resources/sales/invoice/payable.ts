import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, requireRow } from '../../../records/records.ts'
import { Invoice, type InvoiceRow } from './invoice.ts'

/** The invoice, if somebody can start to pay it now. Throws a 400 that says why not. */
export async function requirePayableInvoice(context: Context, id: string): Promise<InvoiceRow> {
  const invoice = await requireRow(context, Invoice, id)
  if (invoice.status !== 'open' && invoice.status !== 'past_due')
    throw new ApiError('invalid_state', `Invoice ${invoice.number} is ${invoice.status} and cannot be paid.`)
  if (invoice.paying !== null) throw new ApiError('invalid_state', `Invoice ${invoice.number} is already being paid.`)
  return invoice
}

/** Keeps other payers away while a payment is under way. */
export async function holdInvoice(context: Context, id: string, payment: string): Promise<void> {
  await changeRow(context, Invoice, await requireRow(context, Invoice, id), { paying: payment })
}
