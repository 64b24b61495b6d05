import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { Checkout, type CheckoutRow } from '../checkout/checkout.ts'
import { closeCheckout } from '../checkout/expire.ts'

/** The open checkout of the unpaid period of a subscription. There is one at most. */
export async function findOpenCheckout(context: Context, subscription: string): Promise<CheckoutRow | undefined> {
  const raw = await rowsOf(context, 'checkouts')
    .selectAll()
    .where('subscription', '=', subscription)
    .where('status', '=', 'open')
    .executeTakeFirst()
  return raw && decode<CheckoutRow>(Checkout, raw)
}

/** Expires that checkout, since there is nothing left to pay; not the one by which it was paid. */
export async function closeOpenCheckout(
  context: Context,
  subscription: string,
  paidBy: string | null = null,
): Promise<void> {
  const open = await findOpenCheckout(context, subscription)
  if (open && open.id !== paidBy) await closeCheckout(context, open, 'expired')
}
