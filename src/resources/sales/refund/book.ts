import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, requireRow } from '../../../records/records.ts'
import { countSale } from '../../audience/customer/figures.ts'
import { markFormationRefunded } from '../../company/formation/refund.ts'
import { endAccess } from '../access.ts'
import { allocate } from '../allocation.ts'
import { Charge } from '../charge/charge.ts'
import { itemsByOrder, unitsOf } from '../order/items.ts'
import { Order } from '../order/order.ts'
import { setOrderStatus } from '../order/status.ts'
import { OrderItem } from '../order_item/order_item.ts'
import { Payment } from '../payment/payment.ts'
import { returnStock } from '../payment/reserve.ts'

type OrderRow = Row<typeof Order>

/** Books money that went back to the buyer, and what follows from it. */
export async function bookRefund(context: Context, order: OrderRow, amount: number): Promise<OrderRow> {
  const amount_refunded = order.amount_refunded + amount
  const status = amount_refunded === order.amount ? 'refunded' : 'partially_refunded'
  await spreadOverItems(context, order.id, amount)
  const charge = await requireRow(context, Charge, order.charge!)
  await changeRow(context, Charge, charge, { amount_refunded, status })
  const disputed = order.status === 'disputed'
  const changed = disputed
    ? await changeRow(context, Order, order, { amount_refunded, disputed_from: status })
    : await setOrderStatus(context, order, status, { amount_refunded })
  await countSale(context, order.customer, { spend: -amount, currency: order.currency })
  if (status === 'refunded') await undoSale(context, order, charge.payment)
  if (!disputed) context.emit(Order, status, changed)
  return changed
}

/** Each line has its share of the refund, of what it has left. */
async function spreadOverItems(context: Context, orderId: string, amount: number): Promise<void> {
  const items = (await itemsByOrder([orderId], context)).get(orderId) ?? []
  const shares = allocate(
    amount,
    items.map((item) => item.amount - item.amount_refunded),
  )
  for (const [index, item] of items.entries())
    await changeRow(context, OrderItem, item, { amount_refunded: item.amount_refunded + shares[index]! })
}

/** Stock comes back and access ends. A renewal took no stock, and only its subscription gives access. */
async function undoSale(context: Context, order: OrderRow, paymentId: string): Promise<void> {
  const payment = await requireRow(context, Payment, paymentId)
  if (payment.checkout !== null && payment.subscription === null)
    await returnStock(context, await unitsOf(context, order.id))
  await endAccess(context, { order: order.id }, context.now)
  await markFormationRefunded(context, order)
}
