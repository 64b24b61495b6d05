import { invalid } from '../../../contract/errors.ts'
import type { CreateInput } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { abandonCheckouts } from '../invoice/checkouts.ts'
import { Invoice } from '../invoice/invoice.ts'
import type { Checkout } from './checkout.ts'
import type { Opening } from './open.ts'
import { price } from './price.ts'

/** What a checkout of an invoice is made of: line and buyer come from the invoice (contract 4.2). */
export async function checkoutOfInvoice(
  context: Context,
  id: string,
  input: CreateInput<typeof Checkout>,
): Promise<Opening> {
  const invoice = await requireRow(context, Invoice, id, 'invoice')
  if (invoice.status !== 'open' && invoice.status !== 'past_due')
    throw invalid({ invoice: [`is ${invoice.status}; only open and past due invoices can be paid`] })
  if (input.discount_code) throw invalid({ discount_code: ['cannot be used for an invoice'] })
  if (input.customer && input.customer !== invoice.customer)
    throw invalid({ customer: ['is not the customer of the invoice'] })
  if (input.email && input.email !== invoice.email_address)
    throw invalid({ email: [`must be the address of the invoice, ${invoice.email_address}`] })
  await abandonCheckouts(context, invoice)
  const { success_url, cancel_url, metadata } = input
  return {
    priced: price([invoice.line!], null),
    email: invoice.email_address,
    customer: invoice.customer,
    values: { success_url, cancel_url, metadata, invoice: invoice.id },
  }
}
