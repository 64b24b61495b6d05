import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { findRow } from '../../../records/records.ts'
import type { CustomerRow } from '../../audience/customer/customer.ts'
import { Discount } from '../../catalog/discount/discount.ts'
import type { CheckoutRow } from '../checkout/checkout.ts'
import { openCheckout } from '../checkout/create.ts'
import { clientSecret } from '../checkout/show.ts'
import { placeOf } from '../checkout/tax/terms.ts'
import { findOpenCheckout } from './checkouts.ts'
import { priceOfNext } from './period.ts'
import { endOfUnpaid } from './schedule.ts'
import type { SubscriptionRow } from './subscription.ts'
import { taxOfNext } from './tax.ts'

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
