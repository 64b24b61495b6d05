import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Row } from '../../../contract/declarations/noun.ts'
import type { SavedMethod } from '../../../outside/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, insertRow, requireRow } from '../../../records/records.ts'
import { countSale } from '../../audience/customer/figures.ts'
import { Charge } from '../charge/charge.ts'
import { completeCheckout } from '../checkout/complete.ts'
import { Order } from '../order/order.ts'
import { notePrevious } from '../order/previous.ts'
import { sendReceipt } from '../order/receipt.ts'
import { setOrderStatus } from '../order/status.ts'
import { periodPaid } from '../subscription/period_paid.ts'
import { feePaid } from './fee.ts'
import { partiesOf } from './parties.ts'
import { Payment } from './payment.ts'

type PaymentRow = Row<typeof Payment>
type OrderRow = Row<typeof Order>

/** Books the money of a payment: charge, order, figures, and what the payment was for. `made` is its order, where the caller has just made it. */
export async function succeed(
  context: Context,
  payment: PaymentRow,
  { reference, method }: { reference: string | null; method: SavedMethod | null },
  made?: OrderRow,
): Promise<void> {
  if (payment.formation !== null) return feePaid(context, payment, reference)
  const order = made ?? (await requireRow(context, Order, payment.order_id))
  if (order.status !== 'pending') throw new ApiError('invalid_state', `The order is already ${order.status}.`)
  const paid = await bookCharge(context, payment, order, reference)
  if (payment.settle_job !== null) await context.cancel(payment.settle_job)
  const settled = await changeRow(context, Payment, payment, {
    status: 'succeeded',
    reference,
    method: method && JSON.stringify(method),
  })
  await countSale(context, order.customer, {
    orders: 1,
    spend: order.amount,
    currency: order.currency,
    paid: order.amount > 0,
  })
  context.emit(Order, 'paid', paid)
  await context.enqueue(sendReceipt, { order: order.id })
  if (payment.checkout !== null) await completeCheckout(context, settled, paid)
  else await periodPaid(context, settled, paid)
}

async function bookCharge(
  context: Context,
  payment: PaymentRow,
  order: OrderRow,
  reference: string | null,
): Promise<OrderRow> {
  const charge =
    order.amount > 0 ? await insertCharge(context, payment, order, { status: 'succeeded', reference }) : null
  const paid = await setOrderStatus(context, order, 'succeeded', { charge: charge?.id ?? null, paid_at: context.now })
  await notePrevious(context, paid)
  return paid
}

/** What became of one try at the money. */
interface Tried {
  status: 'succeeded' | 'failed' | 'refunded'
  reference: string | null
  message?: string
}

export function insertCharge(
  context: Context,
  payment: PaymentRow,
  order: OrderRow,
  { status, reference, message }: Tried,
): Promise<Row<typeof Charge>> {
  return insertRow(context, Charge, {
    order: order.id,
    payment: payment.id,
    amount: order.amount,
    currency: order.currency,
    amount_refunded: status === 'refunded' ? order.amount : 0,
    status,
    processor: order.processor === 'none' ? 'test' : order.processor,
    processor_reference: reference,
    ...partiesOf(payment),
    failure_message: message ?? null,
  })
}
