import type { Row } from '../../../contract/declarations/noun.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { Checkout } from '../checkout/checkout.ts'
import { closeCheckout } from '../checkout/expire.ts'
import type { Invoice } from './invoice.ts'

type CheckoutRow = Row<typeof Checkout>

/** Abandons the open checkouts of an invoice, except one that is being paid. */
export async function abandonCheckouts(context: Context, invoice: Row<typeof Invoice>): Promise<void> {
  for (const checkout of await openCheckoutsOf(context, invoice))
    if (checkout.paying === null) await closeCheckout(context, checkout, 'abandoned')
}

/** The open checkout of an invoice that its buyer can go on with: the one that is being paid, else the newest. */
export async function payableCheckoutOf(
  context: Context,
  invoice: Row<typeof Invoice>,
): Promise<CheckoutRow | undefined> {
  const open = (await openCheckoutsOf(context, invoice)).filter(
    ({ paying, expires_at }) => paying !== null || expires_at > context.now,
  )
  return open.find(({ paying }) => paying !== null) ?? open[0]
}

/** Newest first. */
async function openCheckoutsOf(context: Context, { id }: Row<typeof Invoice>): Promise<CheckoutRow[]> {
  const open = rowsOf(context, 'checkouts').selectAll().where('invoice', '=', id).where('status', '=', 'open')
  return (await open.orderBy('id', 'desc').execute()).map((raw) => decode<CheckoutRow>(Checkout, raw))
}
