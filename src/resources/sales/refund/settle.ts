import { ApiError } from '../../../contract/declarations/errors.ts'
import type { OutsideRefund, RefundOutcome } from '../../../providers/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, findRow, insertRow, requireRow } from '../../../records/records.ts'
import { noteForTeam } from '../../messages/email/team/notices.ts'
import { Order } from '../order/order.ts'
import type { PaymentRow } from '../payment/payment.ts'
import { providerNamed } from '../payment/provider.ts'
import { isOpen } from '../payment/settle.ts'
import { bookRefund, findRefund, reverseRefund } from './book.ts'
import { mailRefunded } from './letter.ts'
import { Refund, type RefundRow } from './refund.ts'

/** Applies an outcome; repeating it has no effect. A successful refund can fail days later, if the buyer's bank returns it. */
export async function settleRefund(context: Context, refund: RefundRow, outcome: RefundOutcome): Promise<RefundRow> {
  if (refund.status === 'succeeded' && outcome.state === 'failed')
    return reverseRefund(context, refund, outcome.message)
  if (refund.status !== 'pending') return refund
  const { reference } = outcome
  if (outcome.state === 'pending') return changeRow(context, Refund, refund, { reference })
  const order = await requireRow(context, Order, refund.order)
  const freed = { amount_refunding: order.amount_refunding - refund.amount }
  if (outcome.state === 'succeeded') {
    const amount_tax = await bookRefund(context, await changeRow(context, Order, order, freed), refund.amount)
    await context.enqueue(mailRefunded, { refund: refund.id })
    await noteForTeam(context, 'refunds')
    return changeRow(context, Refund, refund, { status: 'succeeded', reference, amount_tax })
  }
  await changeRow(context, Order, order, freed)
  const failed = await changeRow(context, Refund, refund, {
    status: 'failed',
    reference,
    failure_message: outcome.message,
  })
  return context.emit(Refund, 'failed', failed)
}

export async function settleRefundById(context: Context, id: string, outcome: RefundOutcome): Promise<void> {
  const refund = await findRow(context, Refund, id)
  if (refund) await settleRefund(context, refund, outcome)
}

const TOO_EARLY = 'The payment that it gives back is not booked yet. Send it again later.'

/** Records a refund made at the provider itself. Throws while its payment is open, so that the provider repeats the webhook. */
export async function bookOutsideRefund(context: Context, payment: PaymentRow, told: OutsideRefund): Promise<void> {
  const { reference, outcome } = told
  if (isOpen(payment)) throw new ApiError('overloaded', TOO_EARLY, { headers: { 'Retry-After': '30' } })
  const order = await requireRow(context, Order, payment.order_id)
  const known = await findRefund(context, order.id, reference)
  if (known) return void (await settleRefund(context, known, outcome))
  const amount = Math.min(told.amount, order.amount - order.amount_refunded - order.amount_refunding)
  if (outcome.state === 'failed' || payment.status !== 'succeeded' || amount <= 0) return
  const { title } = await providerNamed(context, payment.provider)
  const charge = order.charge!
  const refund = await insertRow(context, Refund, {
    ...{ order: order.id, charge, payment: payment.id, amount, currency: order.currency, reference },
    ...{ provider: order.processor === 'none' ? 'card' : order.processor, reason: told.reason },
    ...{ notes: `Made at ${title}.`, status: 'pending', metadata: {} },
  })
  await changeRow(context, Order, order, { amount_refunding: order.amount_refunding + amount })
  context.emit(Refund, 'created', refund)
  // Emitting again replaces the content of the event above with the current state of the refund.
  context.emit(Refund, 'created', await settleRefund(context, refund, outcome))
}
