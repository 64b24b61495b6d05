import { type FieldErrors, invalid } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import { newId } from '../../../contract/values/ids.ts'
import type { Context } from '../../../records/context.ts'
import { insertRow } from '../../../records/records.ts'
import { changedPlace, missingOfPlace, termsAt } from '../checkout/tax/given.ts'
import { billTo, placeOfBilled } from './bill_to.ts'
import { billedLine } from './billed.ts'
import { Invoice, type InvoiceRow } from './invoice.ts'
import { takeInvoiceNumber } from './number.ts'
import { markPastDue } from './past_due.ts'
import { sendInvoice } from './send.ts'

type Input = CreateInput<typeof Invoice>

export async function createInvoice(context: Context, input: Input): Promise<InvoiceRow> {
  const { country, region, vat_id, ...values } = input
  const place = changedPlace(await placeOfBilled(context, input), { country, region, vat_id })
  const tax = await termsAt(context, place)
  const { line, taxed, problems } = await billedLine(context, input.price_variant, input.quantity, tax)
  if (Object.keys(problems).length > 0) throw invalid(problems)
  requireTerms(context, input)
  const missing = await missingOfPlace(context, place)
  if (Object.keys(missing).length > 0) throw invalid(missing)
  const buyer = await billTo(context, input, place)
  const { total: amount, amount_tax, tax_inclusive, tax_lines, reverse_charge } = taxed
  const id = newId('inv')
  const invoice = await insertRow(context, Invoice, {
    ...values,
    ...buyer,
    ...place,
    ...{ tax, amount_tax, tax_inclusive, tax_lines, reverse_charge },
    ...(await takeInvoiceNumber(context)),
    ...{ id, line, amount, currency: line.currency, status: 'open' },
    due_job: await context.enqueue(markPastDue, { invoice: id }, { runAt: input.due_at }),
  })
  await context.enqueue(sendInvoice, { invoice: id })
  context.emit(Invoice, 'created', invoice)
  return invoice
}

/** Throws a 422 over terms that cannot be kept. */
export function requireTerms({ now }: Context, { due_at, collection_method }: Partial<Input>): void {
  const errors: FieldErrors = {
    ...(due_at !== undefined && due_at <= now && { due_at: ['must be in the future'] }),
    ...(collection_method === 'charge_automatically' && {
      collection_method: ['cannot be charge_automatically: the customer has no saved card'],
    }),
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}
