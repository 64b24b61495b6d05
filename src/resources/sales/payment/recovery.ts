import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import type { CheckoutRow } from '../checkout/checkout.ts'
import { Invoice } from '../invoice/invoice.ts'
import type { Recovery } from '../order/order.ts'
import { Subscription } from '../subscription/subscription.ts'
import type { PaymentRow } from './payment.ts'

/** How the money of a payment came after a try had failed or an invoice was past due; null for one that went well at once. */
export async function recoveryOf(
  context: Context,
  payment: PaymentRow,
  checkout: CheckoutRow | null,
): Promise<Recovery | null> {
  const { subscription, invoice } = payment
  if (subscription !== null) {
    const { unpaid_since } = await requireRow(context, Subscription, subscription)
    if (unpaid_since === null) return null
    if (checkout !== null) return 'payment_link'
    return payment.by_hand ? 'charge_now' : 'retry'
  }
  if (invoice !== null && (await requireRow(context, Invoice, invoice)).status === 'past_due') return 'payment_link'
  if (checkout === null) return null
  const { retries, failed_tries } = checkout
  return retries !== null || failed_tries > 0 ? 'second_try' : null
}
