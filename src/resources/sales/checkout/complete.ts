import { addToRow } from '../../../records/add-to-row.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { PriceVariant } from '../../catalog/price-variant/price-variant.ts'
import { grantAccess } from '../access.ts'
import { Invoice } from '../invoice/invoice.ts'
import { markInvoicePaid } from '../invoice/payable.ts'
import { Order, type OrderRow } from '../order/order.ts'
import type { PaymentRow } from '../payment/payment.ts'
import { endRedemption } from '../payment/reserve.ts'
import { periodPaid, startSubscription } from '../subscription/outcome.ts'
import { Subscription } from '../subscription/subscription.ts'
import type { CheckoutRow } from './checkout.ts'
import { closePaid } from './close.ts'
import type { PricedLine } from './line.ts'

/** Books all consequences of a paid checkout, in the order in which their events must be emitted. */
export async function completeCheckout(
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

/** A price with a `sold_count` above 0 can no longer change its terms. */
async function countUnits(context: Context, lines: readonly PricedLine[]): Promise<void> {
  const sold = new Map<string, number>()
  for (const { price_variant: id, quantity } of lines) sold.set(id, (sold.get(id) ?? 0) + quantity)
  for (const [id, quantity] of sold) await addToRow(context, PriceVariant, id, { sold_count: quantity })
}
