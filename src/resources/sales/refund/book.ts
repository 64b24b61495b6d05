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
type ItemRow = Row<typeof OrderItem>

/** Books money that went back to the buyer, and what follows from it. */
export async function bookRefund(context: Context, order: OrderRow, amount: number): Promise<OrderRow> {
  const status = order.amount_refunded + amount === order.amount ? 'refunded' : 'partially_refunded'
  await spreadOverItems(context, order.id, amount, ({ amount: sold, amount_refunded }) => sold - amount_refunded)
  const { changed, charge } = await bookMove(context, order, amount, status)
  if (status === 'refunded') await undoSale(context, order, charge.payment)
  if (order.status !== 'disputed') context.emit(Order, status, changed)
  return changed
}

/** Books that money of a refund is the shop's again. Stock that came back and access that ended stay so. */
export async function unbookRefund(context: Context, order: OrderRow, amount: number): Promise<OrderRow> {
  const status = order.amount_refunded === amount ? 'succeeded' : 'partially_refunded'
  await spreadOverItems(context, order.id, -amount, ({ amount_refunded }) => amount_refunded)
  return (await bookMove(context, order, -amount, status)).changed
}

/** Money that went to the buyer, or came back where it is negative, in the order, its charge and the customer's figures. */
async function bookMove(
  context: Context,
  order: OrderRow,
  amount: number,
  status: 'succeeded' | 'partially_refunded' | 'refunded',
) {
  const amount_refunded = order.amount_refunded + amount
  const charge = await requireRow(context, Charge, order.charge!)
  await changeRow(context, Charge, charge, { amount_refunded, status })
  const changed =
    order.status === 'disputed'
      ? await changeRow(context, Order, order, { amount_refunded, disputed_from: status })
      : await setOrderStatus(context, order, status, { amount_refunded })
  await countSale(context, order.customer, { spend: -amount, currency: order.currency })
  return { changed, charge }
}

/** Each line has its share, in proportion to its weight. */
async function spreadOverItems(
  context: Context,
  orderId: string,
  amount: number,
  weightOf: (item: ItemRow) => number,
): Promise<void> {
  const items = (await itemsByOrder([orderId], context)).get(orderId) ?? []
  const shares = allocate(Math.abs(amount), items.map(weightOf))
  for (const [index, item] of items.entries()) {
    const amount_refunded = item.amount_refunded + Math.sign(amount) * shares[index]!
    await changeRow(context, OrderItem, item, { amount_refunded })
  }
}

/** Stock comes back and access ends. A renewal took no stock, and only its subscription gives access. */
async function undoSale(context: Context, order: OrderRow, paymentId: string): Promise<void> {
  const payment = await requireRow(context, Payment, paymentId)
  if (payment.checkout !== null && payment.subscription === null)
    await returnStock(context, await unitsOf(context, order.id))
  await endAccess(context, { order: order.id }, context.now)
  await markFormationRefunded(context, order)
}
