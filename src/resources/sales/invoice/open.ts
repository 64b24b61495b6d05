import type { Context } from '../../../records/context.ts'
import type { CheckoutRow } from '../checkout/checkout.ts'
import { openingOf, requireUnpaidInvoice } from '../checkout/of_invoice.ts'
import { openCheckout } from '../checkout/open.ts'
import { payableCheckoutOf } from './checkouts.ts'
import type { InvoiceRow } from './invoice.ts'

/**
 * The checkout of a buyer who came by the `payment_url` of an invoice: the one that is open already, so that two windows
 * show the same, else a new one. Throws a 422 when the invoice can no longer be paid.
 */
export async function openFromInvoice(context: Context, { id }: InvoiceRow): Promise<CheckoutRow> {
  const invoice = await requireUnpaidInvoice(context, id)
  return (await payableCheckoutOf(context, invoice)) ?? openCheckout(context, openingOf(invoice))
}
