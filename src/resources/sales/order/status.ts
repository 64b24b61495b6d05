import type { Context } from '../../../records/context.ts'
import { putOffIn } from '../../../records/put-off.ts'
import { changeRow } from '../../../records/records.ts'
import { send, updateRowsOf } from '../../../records/rows-of.ts'
import { Order, type OrderRow } from './order.ts'

/** Changes the status of an order, with other fields of it; its items show the same. */
export async function setOrderStatus(
  context: Context,
  order: OrderRow,
  status: OrderRow['status'],
  more: Partial<OrderRow> = {},
): Promise<OrderRow> {
  const changed = await changeRow(context, Order, order, { ...more, status })
  const shown = { order_status: status, paid_at: changed.paid_at }
  if (!changeUnwritten(context, order.id, shown))
    await send(context, updateRowsOf(context, 'order_items').where('order', '=', order.id).set(shown))
  return changed
}

/** Changes the items of an order that was just made, and whose rows are not written yet. False where there are none. */
function changeUnwritten(context: Context, orderId: string, changes: Record<string, unknown>): boolean {
  const writes = putOffIn(context)
  const items = writes?.inserted('order_items').filter(({ order }) => order === orderId) ?? []
  for (const { id } of items) writes?.change('order_items', String(id), changes)
  return items.length > 0
}
