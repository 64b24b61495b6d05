import type { PaymentOutcome } from '../../../providers/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { disputeTestCard } from '../dispute/play-bank.ts'
import type { OrderRow } from '../order/order.ts'
import { fail } from './fail.ts'
import { Payment, type PaymentRow } from './payment.ts'
import { giveMoneyBack } from './return.ts'
import { succeed } from './succeed.ts'

/** Whether the outcome of a payment is not known yet. */
export function isOpen({ status }: Pick<PaymentRow, 'status'>): boolean {
  return status === 'begun' || status === 'needs_buyer' || status === 'pending'
}

/**
 * Repeating an outcome has no effect; money that arrives after a payment was given up is refunded. `order` is the payment's order if the
 * caller has just created it.
 */
export async function settle(
  context: Context,
  payment: PaymentRow,
  outcome: PaymentOutcome,
  order?: OrderRow,
): Promise<void> {
  if (!isOpen(payment)) {
    const late = payment.status === 'failed' || payment.status === 'released'
    if (late && outcome.state === 'succeeded') await giveMoneyBack(context, payment, outcome.reference)
    return
  }
  if (outcome.state === 'succeeded') {
    await succeed(context, payment, outcome, order)
    await disputeTestCard(context, payment, outcome.reference)
  } else if (outcome.state === 'failed') await fail(context, payment, { code: 'other', ...outcome, status: 'failed' })
  else {
    const url = outcome.state === 'needs_buyer' ? outcome.url : null
    await changeRow(context, Payment, payment, { status: outcome.state, reference: outcome.reference, url })
  }
}
