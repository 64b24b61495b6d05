import type { Row } from '../../../contract/declarations/noun.ts'
import { compileForIds } from '../../../database/compile-once.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { OrderItem } from '../order_item/order_item.ts'

type ItemRow = Row<typeof OrderItem>

/** The items of orders, as sold, by the order. */
export async function itemsByOrder(orderIds: string[], { db, accountId }: Context): Promise<Map<string, ItemRow[]>> {
  const rows = await itemsOfOrders(db, accountId, orderIds)
  return Map.groupBy(
    rows.map((raw) => decode<ItemRow>(OrderItem, raw)),
    (item) => item.order,
  )
}

const itemsOfOrders = compileForIds((db: Context['db'], accountId, orderIds) =>
  rowsOf({ db, accountId }, 'order_items').selectAll().where('order', 'in', orderIds).orderBy('order').orderBy('line'),
)

/** Which prices an order sold, and how many units of each. */
export async function unitsOf(
  context: Context,
  orderId: string,
): Promise<{ price_variant: string; quantity: number }[]> {
  return (await itemsByOrder([orderId], context)).get(orderId) ?? []
}
