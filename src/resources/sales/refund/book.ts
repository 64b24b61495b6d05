import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, requireRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { countSale } from '../../audience/customer/figures.ts'
import { endAccess } from '../access.ts'
import { allocate } from '../allocation.ts'
import { Charge } from '../charge/charge.ts'
import { taxRefunded } from '../checkout/tax/compute.ts'
import { itemsOf } from '../order/items.ts'
import { Order, type OrderRow } from '../order/order.ts'
import { setOrderStatus } from '../order/previous.ts'
import { OrderItem } from '../order-item/order-item.ts'
import { bookRefundedFee } from '../payment/fee.ts'
import { Payment } from '../payment/payment.ts'
import { returnStock } from '../payment/reserve.ts'
import { Refund, type RefundRow } from './refund.ts'

/** Records refunded money with all consequences. Returns the tax in `amount`. */
export async function bookRefund(context: Context, order: OrderRow, amount: number): Promise<number> {
  const status = order.amount_refunded + amount === order.amount ? 'refunded' : 'partially_refunded'
  const tax = await spreadOverLines(context, order.id, amount)
  const { changed, charge } = await bookMove(context, order, { amount, tax }, status)
  if (status === 'refunded') await undoSale(context, order, charge.payment)
  if (order.status !== 'disputed') context.emit(Order, status, changed)
  return tax
}

/** Records that refunded money belongs to the shop again. Stock that was returned and access that has ended do not change. */
async function unbookRefund(
  context: Context,
  order: OrderRow,
  { amount, amount_tax: tax }: Pick<RefundRow, 'amount' | 'amount_tax'>,
): Promise<void> {
  const status = order.amount_refunded === amount ? 'succeeded' : 'partially_refunded'
  await takeBackFromLines(context, order.id, { amount, tax })
  await bookMove(context, order, { amount: -amount, tax: -tax }, status)
}

/** Records refunded money. A negative `amount` means that it came back to the shop. */
async function bookMove(
  context: Context,
  order: OrderRow,
  { amount, tax }: RefundedAmount,
  status: 'succeeded' | 'partially_refunded' | 'refunded',
) {
  const amount_refunded = order.amount_refunded + amount
  const amount_tax_refunded = order.amount_tax_refunded + tax
  const charge = await requireRow(context, Charge, order.charge!)
  await changeRow(context, Charge, charge, { amount_refunded, status })
  const changed =
    order.status === 'disputed'
      ? await changeRow(context, Order, order, { amount_refunded, amount_tax_refunded, disputed_from: status })
      : await setOrderStatus(context, order, status, { amount_refunded, amount_tax_refunded })
  await countSale(context, order.customer, { spend: -amount, currency: order.currency })
  return { changed, charge }
}

interface RefundedAmount {
  amount: number
  /** The tax that is part of `amount`. */
  tax: number
}

/** Distributes a refund over the lines in proportion to their unrefunded amounts. Returns the tax in this refund. */
async function spreadOverLines(context: Context, orderId: string, amount: number): Promise<number> {
  const items = await itemsOf(context, orderId)
  const shares = allocate(
    amount,
    items.map(({ amount: sold, amount_refunded }) => sold - amount_refunded),
  )
  let tax = 0
  for (const [index, item] of items.entries()) {
    const amount_refunded = item.amount_refunded + (shares[index] ?? 0)
    // The refunded tax of a line never decreases: a reversed refund may have left it one unit above its share.
    const share = taxRefunded(item.amount_tax, amount_refunded, item.amount)
    const amount_tax_refunded = Math.max(item.amount_tax_refunded, share)
    tax += amount_tax_refunded - item.amount_tax_refunded
    await changeRow(context, OrderItem, item, { amount_refunded, amount_tax_refunded })
  }
  return tax
}

async function takeBackFromLines(context: Context, orderId: string, { amount, tax }: RefundedAmount): Promise<void> {
  const items = await itemsOf(context, orderId)
  const amounts = allocate(
    amount,
    items.map(({ amount_refunded }) => amount_refunded),
  )
  const taxes = allocate(
    tax,
    items.map(({ amount_tax_refunded }) => amount_tax_refunded),
  )
  for (const [index, item] of items.entries()) {
    const amount_refunded = item.amount_refunded - (amounts[index] ?? 0)
    const amount_tax_refunded = item.amount_tax_refunded - (taxes[index] ?? 0)
    await changeRow(context, OrderItem, item, { amount_refunded, amount_tax_refunded })
  }
}

/** Undoes a sale that is refunded in full. Stock is not returned for a renewal, which took none. */
async function undoSale(context: Context, order: OrderRow, paymentId: string): Promise<void> {
  const payment = await requireRow(context, Payment, paymentId)
  if (payment.checkout !== null && payment.subscription === null)
    await returnStock(context, await itemsOf(context, order.id))
  await endAccess(context, { order: order.id }, context.now)
  await bookRefundedFee(context, order)
}

/** Records that a successful refund failed afterwards: the shop has the money again, and can refund it once more. */
export async function reverseRefund(context: Context, refund: RefundRow, failure_message: string): Promise<RefundRow> {
  await unbookRefund(context, await requireRow(context, Order, refund.order), refund)
  return context.emit(Refund, 'failed', await changeRow(context, Refund, refund, { status: 'failed', failure_message }))
}

/** `reference` is the provider's id of the refund, or of the dispute that caused it. */
export async function findRefund(context: Context, order: string, reference: string): Promise<RefundRow | undefined> {
  const raw = await rowsOf(context, 'refunds')
    .selectAll()
    .where('order', '=', order)
    .where('reference', '=', reference)
    .executeTakeFirst()
  return raw && decode(Refund, raw)
}
