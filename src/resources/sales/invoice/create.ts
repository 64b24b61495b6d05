import { type FieldErrors, invalid } from '../../../contract/errors.ts'
import { newId } from '../../../contract/ids.ts'
import type { CreateInput, Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import { insertRow } from '../../../records/records.ts'
import { billTo } from './bill_to.ts'
import { billedLine } from './billed.ts'
import { Invoice } from './invoice.ts'
import { takeInvoiceNumber } from './number.ts'
import { markPastDue } from './past_due.ts'
import { sendInvoice } from './send.ts'

type Input = CreateInput<typeof Invoice>

export async function createInvoice(context: Context, input: Input): Promise<Row<typeof Invoice>> {
  const { line, amount, problems } = await billedLine(context, input.price_variant, input.quantity)
  requireValid({ ...problems, ...problemsOf(input, context.now) }, input)
  const buyer = await billTo(context, input)
  const id = newId('inv')
  const invoice = await insertRow(context, Invoice, {
    ...input,
    ...buyer,
    ...(await takeInvoiceNumber(context)),
    ...{ id, line, amount, currency: line.currency, status: 'open' },
    due_job: await context.enqueue(markPastDue, { invoice: id }, { runAt: input.due_at }),
  })
  await context.enqueue(sendInvoice, { invoice: id })
  context.emit(Invoice, 'created', invoice)
  return invoice
}

function problemsOf({ due_at, collection_method }: Input, now: string): FieldErrors {
  return {
    ...(due_at <= now && { due_at: ['must be in the future'] }),
    ...(collection_method === 'charge_automatically' && {
      collection_method: ['cannot be charge_automatically: the customer has no saved card'],
    }),
  }
}

/** Whatever is wrong is said at once; without anything wrong, a missing buyer is a missing parameter. */
function requireValid(problems: FieldErrors, { customer, email_address }: Input): void {
  if (Object.keys(problems).length === 0) return
  throw invalid({ ...problems, ...(!customer && !email_address && { email_address: ["can't be blank"] }) })
}
