import { ApiError } from '../../../contract/declarations/errors.ts'
import type { SavedMethod } from '../../../providers/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, insertRow, requireRow } from '../../../records/records.ts'
import { countSale } from '../../audience/customer/figures.ts'
import { noteForTeam } from '../../messages/email/team/note-for-team.ts'
import { Charge, type ChargeRow } from '../charge/charge.ts'
import { Checkout, type CheckoutRow } from '../checkout/checkout.ts'
import { completeCheckout } from '../checkout/complete.ts'
import { Invoice } from '../invoice/invoice.ts'
import { Order, type OrderRow, type Recovery } from '../order/order.ts'
import { notePrevious } from '../order/previous.ts'
import { sendReceipt } from '../order/receipt.ts'
import { setOrderStatus } from '../order/status.ts'
import { periodPaid } from '../subscription/period-paid.ts'
import { Subscription } from '../subscription/subscription.ts'
import { feePaid } from './fee.ts'
import { partiesOf } from './parties.ts'
import { Payment, type PaymentRow } from './payment.ts'

/** Books a successful payment and its consequences; `made` is its order if the caller has just created it. */
export async function succeed(
  context: Context,
  payment: PaymentRow,
  { reference, method }: { reference: string | null; method: SavedMethod | null },
  made?: OrderRow,
): Promise<void> {
  if (payment.formation !== null) return feePaid(context, payment, reference)
  const order = made ?? (await requireRow(context, Order, payment.order_id))
  if (order.status !== 'pending') throw new ApiError('invalid_state', `The order is already ${order.status}.`)
  const [checkout] = await Promise.all([
    payment.checkout === null ? null : requireRow(context, Checkout, payment.checkout),
    order.amount > 0 && noteForTeam(context, 'sales'),
  ])
  const paid = await bookCharge(context, { payment, order, checkout }, reference)
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
  if (checkout !== null) await completeCheckout(context, settled, paid, checkout)
  else await periodPaid(context, settled, paid)
}

interface PaidOrder {
  payment: PaymentRow
  order: OrderRow
  /** The checkout that was paid; null for a renewal. */
  checkout: CheckoutRow | null
}

async function bookCharge(
  context: Context,
  { payment, order, checkout }: PaidOrder,
  reference: string | null,
): Promise<OrderRow> {
  const charge =
    order.amount > 0 ? await insertCharge(context, payment, order, { status: 'succeeded', reference }) : null
  const recovered_by = order.amount > 0 ? await recoveryOf(context, payment, checkout) : null
  const booked = { charge: charge?.id ?? null, paid_at: context.now, recovered_by }
  const paid = await setOrderStatus(context, order, 'succeeded', booked)
  await notePrevious(context, paid)
  return paid
}

interface ChargeOutcome {
  status: 'succeeded' | 'failed' | 'refunded'
  reference: string | null
  message?: string
  /** The service's own code for the reason of a failure. */
  code?: string | null
}

export function insertCharge(
  context: Context,
  payment: PaymentRow,
  order: OrderRow,
  { status, reference, message, code = null }: ChargeOutcome,
): Promise<ChargeRow> {
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
    failure_code: code,
  })
}

/** Returns null if no earlier payment failed and the invoice was not past due. */
async function recoveryOf(
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
