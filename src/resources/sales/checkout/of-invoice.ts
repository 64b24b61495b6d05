import { invalid } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { abandonCheckouts, payableCheckoutOf } from '../invoice/checkouts.ts'
import { Invoice, type InvoiceRow } from '../invoice/invoice.ts'
import type { Checkout, CheckoutRow } from './checkout.ts'
import { type Opening, openCheckout } from './open.ts'
import { price } from './price.ts'
import { placeOf } from './tax/terms.ts'

type Input = Omit<CreateInput<typeof Checkout>, 'reverse_charge' | 'tax_inclusive' | 'tax_lines'>

/** Prepares a checkout for an invoice, and abandons the invoice's other open checkouts, except one with a payment in progress. */
export async function checkoutOfInvoice(context: Context, id: string, input: Input): Promise<Opening> {
  const invoice = await requireUnpaidInvoice(context, id)
  requireItsBuyer(invoice, input)
  await abandonCheckouts(context, invoice)
  const { success_url, cancel_url, metadata } = input
  return openingOf(invoice, { success_url, cancel_url, metadata })
}

async function requireUnpaidInvoice(context: Context, id: string): Promise<InvoiceRow> {
  const invoice = await requireRow(context, Invoice, id, 'invoice')
  if (invoice.status !== 'open' && invoice.status !== 'past_due')
    throw invalid({ invoice: [`is ${invoice.status}; only open and past due invoices can be paid`] })
  return invoice
}

export function openingOf(invoice: InvoiceRow, values: Partial<CheckoutRow> = {}): Opening {
  return {
    priced: price([invoice.line!], null, invoice.tax),
    email: invoice.email_address,
    customer: invoice.customer,
    values: { ...values, ...placeOf(invoice), invoice: invoice.id },
  }
}

/** The tax location cannot be given, because the tax was fixed when the invoice was created. */
function requireNoPlace(input: Input): void {
  for (const part of ['country', 'region', 'vat_id'] as const)
    if (input[part]) throw invalid({ [part]: ['is the one of the invoice and cannot be given'] })
}

function requireItsBuyer({ customer, email_address }: InvoiceRow, input: Input): void {
  if (input.discount_code) throw invalid({ discount_code: ['cannot be used for an invoice'] })
  requireNoPlace(input)
  if (input.customer && input.customer !== customer) throw invalid({ customer: ['is not the customer of the invoice'] })
  if (input.email && input.email !== email_address)
    throw invalid({ email: [`must be the address on the invoice, ${email_address}`] })
}

/** Returns the invoice's open checkout, so that two browser windows share one, or opens one. Throws a 422 for a paid or void invoice. */
export async function openFromInvoice(context: Context, { id }: InvoiceRow): Promise<CheckoutRow> {
  const invoice = await requireUnpaidInvoice(context, id)
  return (await payableCheckoutOf(context, invoice)) ?? openCheckout(context, openingOf(invoice))
}
