import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { takesTestCards } from '../payment/provider.ts'
import { Checkout, type CheckoutRow } from './checkout.ts'
import { payCheckout } from './pay.ts'
import { missingPlace } from './place.ts'
import { hasAllAmounts, isEverCharged } from './price.ts'

/**
 * Completes a checkout that costs nothing now, once its buyer is known, if nothing will ever be charged or if test cards are taken,
 * since the test provider needs no card for later.
 */
export async function completeIfFree(context: Context, checkout: CheckoutRow): Promise<CheckoutRow> {
  const { total, email, lines } = checkout
  if (total > 0 || email === null || !hasAllAmounts(lines)) return checkout
  if (isEverCharged(lines) && !(await takesTestCards(context, checkout))) return checkout
  if (Object.keys(await missingPlace(context, checkout)).length > 0) return checkout
  await payCheckout(context, checkout, {})
  return requireRow(context, Checkout, checkout.id)
}
