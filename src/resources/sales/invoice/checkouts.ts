import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { Checkout, type CheckoutRow } from '../checkout/checkout.ts'
import { closeCheckout } from '../checkout/expire.ts'
import type { InvoiceRow } from './invoice.ts'

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
  return (await open.orderBy('id', 'desc').execute()).map((raw) => decode<CheckoutRow>(Checkout, raw))
}
