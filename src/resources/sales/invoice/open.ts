import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import type { Checkout } from '../checkout/checkout.ts'
import { openingOf, requireUnpaidInvoice } from '../checkout/of_invoice.ts'
import { openCheckout } from '../checkout/open.ts'
import { payableCheckoutOf } from './checkouts.ts'
import type { Invoice } from './invoice.ts'

/**
 * The checkout of a buyer who came by the `payment_url` of an invoice: the one that is open already, so that two windows
 * show the same, else a new one. Throws a 422 when the invoice can no longer be paid.
 */
export async function openFromInvoice(context: Context, { id }: Row<typeof Invoice>): Promise<Row<typeof Checkout>> {
  const invoice = await requireUnpaidInvoice(context, id)
  return (await payableCheckoutOf(context, invoice)) ?? openCheckout(context, openingOf(invoice))
}
