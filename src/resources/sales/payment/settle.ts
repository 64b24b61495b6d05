import type { PaymentOutcome } from '../../../providers/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { disputeTestCard } from '../dispute/book.ts'
import type { OrderRow } from '../order/order.ts'
import { giveMoneyBack } from './late-money.ts'
import { fail, succeed } from './outcome.ts'
import { Payment, type PaymentRow } from './payment.ts'

export async function settleById(context: Context, id: string, outcome: PaymentOutcome): Promise<void> {
  const payment = await findRow(context, Payment, id)
  if (payment) await settle(context, payment, outcome)
}

/** Whether the outcome of a payment is not known yet. */
export function isOpen({ status }: Pick<PaymentRow, 'status'>): boolean {
  return status === 'begun' || status === 'needs_buyer' || status === 'pending'
}

/**
 * Applies an outcome to a payment; repeating it has no effect. Money that arrives after the payment was given up is refunded, or
 * only recorded if it was paid in USDC. `order` is the payment's order if the caller has just created it.
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
