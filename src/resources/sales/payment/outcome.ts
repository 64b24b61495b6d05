import { ApiError } from '../../../contract/declarations/errors.ts'
import type { DeclineCode } from '../../../format/declines.ts'
import type { SavedMethod } from '../../../providers/payments/provider.ts'
import { addToRow } from '../../../records/add-to-row.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, insertRow, requireRow } from '../../../records/records.ts'
import { updateRowsOf } from '../../../records/rows-of.ts'
import { countSale } from '../../audience/customer/figures.ts'
import { PriceVariant } from '../../catalog/price-variant/price-variant.ts'
import { noteForTeam } from '../../messages/email/team/notices.ts'
import { grantAccess } from '../access.ts'
import { Charge, type ChargeRow } from '../charge/charge.ts'
import { Checkout, type CheckoutRow } from '../checkout/checkout.ts'
import { closeCheckout, closePaid } from '../checkout/close.ts'
import type { PricedLine } from '../checkout/line.ts'
import { Invoice } from '../invoice/invoice.ts'
import { markInvoicePaid } from '../invoice/payable.ts'
import { itemsOf } from '../order/items.ts'
import { Order, type OrderRow, type Recovery } from '../order/order.ts'
import { notePrevious, setOrderStatus } from '../order/previous.ts'
import { sendReceipt } from '../order/receipt.ts'
import { holdAfter, periodPaid, renewalFailed } from '../subscription/renewal-outcome.ts'
import { startSubscription } from '../subscription/start.ts'
import { Subscription } from '../subscription/subscription.ts'
import { whyHeld } from './connection/current.ts'
import { feePaid } from './fee.ts'
import { partiesOf } from './parties.ts'
import { Payment, type PaymentRow } from './payment.ts'
import { endRedemption, returnStock } from './reserve.ts'

/** Records a successful payment and its consequences; `made` is the payment's order if the caller has just created it. */
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

/** Returns the way in which the sale was recovered; null if no earlier payment failed and the invoice was not past due. */
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

/** The number of failed payments after which a checkout expires, to prevent the testing of stolen cards. */
const MOST_FAILED_TRIES = 10

/** `released` means that the buyer did not finish the payment in time, or that it was given up on purpose. */
interface FailedPayment {
  status: 'failed' | 'released'
  reference: string | null
  message: string
  code: DeclineCode
  /** True if no card was tried, because the key is refused or the connection was deleted. */
  isLost?: boolean
}

/** Records a failed payment: marks its order as failed, and releases the reservations of the order. */
export async function fail(context: Context, payment: PaymentRow, failed: FailedPayment): Promise<void> {
  const { status, message, code, isLost = false } = failed
  const reference = failed.reference ?? payment.reference
  if (payment.settle_job !== null) await context.cancel(payment.settle_job)
  const settled = await changeRow(context, Payment, payment, {
    ...{ status, reference, failure_message: message, failure_code: code },
  })
  if (settled.formation === null) await failOrder(context, settled, isLost)
  if (settled.checkout !== null) await reopen(context, settled.checkout, status)
}

async function failOrder(context: Context, payment: PaymentRow, isLost: boolean): Promise<void> {
  const order = await requireRow(context, Order, payment.order_id)
  const { reference } = payment
  const tried = { status: 'failed', reference, message: payment.failure_message!, code: payment.failure_code } as const
  const isRenewal = payment.checkout === null || payment.subscription !== null
  const isReleased = payment.status === 'released'
  const isHeld = isRenewal && isReleased && (isLost || (await whyHeld(context, payment.provider)) !== null)
  const charge = order.amount > 0 && !isHeld ? await insertCharge(context, payment, order, tried) : null
  const failed = await setOrderStatus(context, order, 'failed', { charge: charge?.id ?? null })
  context.emit(Order, 'failed', failed)
  if (isHeld) await holdAfter(context, payment)
  else if (isRenewal) await renewalFailed(context, payment)
  else await giveBack(context, failed)
}

async function giveBack(context: Context, { id, discount, invoice }: OrderRow): Promise<void> {
  await returnStock(context, await itemsOf(context, id))
  if (discount !== null) await endRedemption(context, discount, { redeemed: false })
  if (invoice !== null)
    await updateRowsOf(context, 'invoices').set({ paying: null }).where('id', '=', invoice).execute()
}

/** Allows another payment, unless the checkout has expired or too many payments of it have failed. */
async function reopen(context: Context, checkoutId: string, status: FailedPayment['status']): Promise<void> {
  const checkout = await requireRow(context, Checkout, checkoutId)
  const failed_tries = checkout.failed_tries + (status === 'failed' ? 1 : 0)
  const changed = await changeRow(context, Checkout, checkout, { paying: null, failed_tries })
  const expired = changed.expires_at <= context.now
  if (changed.status === 'open' && (expired || failed_tries >= MOST_FAILED_TRIES))
    await closeCheckout(context, changed, 'expired')
}

/** Records all consequences of a paid checkout, in the order in which their events must be emitted. */
async function completeCheckout(
  context: Context,
  payment: PaymentRow,
  paid: OrderRow,
  checkout: CheckoutRow,
): Promise<OrderRow> {
  if (payment.subscription !== null) return completePeriod(context, payment, paid, checkout)
  const [line] = checkout.lines
  const subscription = line?.recurring
    ? await startSubscription(context, {
        payment,
        order: paid,
        line,
        discountTerms: checkout.discount_terms,
        tax: checkout.tax,
      })
    : null
  const order = subscription ? await changeRow(context, Order, paid, { subscription: subscription.id }) : paid
  await countUnits(context, checkout.lines)
  if (order.discount !== null) await endRedemption(context, order.discount, { redeemed: true })
  await grantAccess(context, {
    customer: order.customer,
    order: order.id,
    subscription: order.subscription,
    lines: checkout.lines,
  })
  context.emit(Order, 'paid', order)
  if (subscription) context.emit(Subscription, 'created', subscription)
  if (checkout.invoice !== null) context.emit(Invoice, 'paid', await markInvoicePaid(context, checkout.invoice, order))
  await close(context, checkout, order)
  return order
}

async function completePeriod(
  context: Context,
  payment: PaymentRow,
  order: OrderRow,
  checkout: CheckoutRow,
): Promise<OrderRow> {
  context.emit(Order, 'paid', order)
  await periodPaid(context, payment, order)
  await close(context, checkout, order)
  return order
}

function close(context: Context, checkout: CheckoutRow, order: OrderRow): Promise<void> {
  const { id, customer, subscription, amount } = order
  const processor = amount > 0 ? order.processor : checkout.processor
  return closePaid(context, checkout, { order: id, customer, subscription, processor })
}

/** Counts the sold units. A price with a `sold_count` above 0 can no longer change its terms. */
async function countUnits(context: Context, lines: readonly PricedLine[]): Promise<void> {
  const sold = new Map<string, number>()
  for (const { price_variant: id, quantity } of lines) sold.set(id, (sold.get(id) ?? 0) + quantity)
  for (const [id, quantity] of sold) await addToRow(context, PriceVariant, id, { sold_count: quantity })
}
