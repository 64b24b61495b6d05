import { ApiError } from '../../../contract/declarations/errors.ts'
import type { OutsideRefund } from '../../../providers/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, insertRow, requireRow } from '../../../records/records.ts'
import { Order } from '../order/order.ts'
import type { PaymentRow } from '../payment/payment.ts'
import { providerNamed } from '../payment/provider.ts'
import { isOpen } from '../payment/settle.ts'
import { findRefund } from './book.ts'
import { Refund } from './refund.ts'
import { settleRefund } from './settle.ts'

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
