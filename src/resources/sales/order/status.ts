import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { send, updateRowsOf } from '../../../records/rows-of.ts'
import { Order, type OrderRow } from './order.ts'

/** Also copies the status and the payment time to the items of the order. */
export async function setOrderStatus(
  context: Context,
  order: OrderRow,
  status: OrderRow['status'],
  more: Partial<OrderRow> = {},
): Promise<OrderRow> {
  const changed = await changeRow(context, Order, order, { ...more, status })
  const shown = { order_status: status, paid_at: changed.paid_at }
  await send(context, updateRowsOf(context, 'order_items').where('order', '=', order.id).set(shown))
  return changed
}
