import { inOnePiece } from '../../../contract/values/values.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { findRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import type { CustomerRow } from '../../audience/customer/customer.ts'
import { Discount } from '../../catalog/discount/discount.ts'
import { Checkout, type CheckoutRow } from '../checkout/checkout.ts'
import { closeCheckout } from '../checkout/close.ts'
import { openCheckout } from '../checkout/create.ts'
import { clientSecret } from '../checkout/show.ts'
import { placeOf } from '../checkout/tax/terms.ts'
import { priceOfNext } from './period.ts'
import { endOfUnpaid } from './schedule.ts'
import type { SubscriptionRow } from './subscription.ts'
import { taxOfNext } from './tax.ts'

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

export function checkoutUrl(context: Context, { id }: { id: string }): string {
  return inOnePiece(context.publicUrl, '/checkout/', clientSecret(context, id))
}

/** Finds or creates the checkout for the unpaid period, which stays open for as long as the period can be paid. */
export async function unpaidCheckout(
  context: Context,
  subscription: SubscriptionRow,
  customer: CustomerRow,
): Promise<CheckoutRow> {
  const open = await findOpenCheckout(context, subscription.id)
  if (open) return open
  const { discount, ...totals } = priceOfNext(subscription, await taxOfNext(context, subscription))
  const known = discount === null ? null : ((await findRow(context, Discount, discount)) ?? null)
  return openCheckout(context, {
    ...{ email: customer.email, customer: customer.id, priced: { ...totals, discount: known } },
    values: { ...placeOf(subscription), subscription: subscription.id, metadata: subscription.metadata },
    expiresAt: endOfUnpaid(subscription.unpaid_since!),
  })
}
