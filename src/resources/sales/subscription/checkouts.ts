import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { Checkout, type CheckoutRow } from '../checkout/checkout.ts'
import { closeCheckout } from '../checkout/close.ts'

/** A subscription has at most one open checkout, for its unpaid period. */
export async function findOpenCheckout(context: Context, subscription: string): Promise<CheckoutRow | undefined> {
  const raw = await rowsOf(context, 'checkouts')
    .selectAll()
    .where('subscription', '=', subscription)
    .where('status', '=', 'open')
    .executeTakeFirst()
  return raw && decode(Checkout, raw)
}

/** Expires the open checkout, because nothing is left to pay, unless its id is `paidBy`. */
export async function closeOpenCheckout(
  context: Context,
  subscription: string,
  paidBy: string | null = null,
): Promise<void> {
  const open = await findOpenCheckout(context, subscription)
  if (open && open.id !== paidBy) await closeCheckout(context, open, 'expired')
}
