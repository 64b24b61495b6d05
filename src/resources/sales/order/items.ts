import { compileForIds } from '../../../database/compile-once.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { memoize, prime } from '../../../records/memoize.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { OrderItem, type OrderItemRow } from '../order-item/order-item.ts'

export async function itemsByOrder(
  orderIds: string[],
  { db, accountId }: Context,
): Promise<Map<string, OrderItemRow[]>> {
  const rows = await memoize({ db }, asked(orderIds), () => itemsOfOrders(db, accountId, orderIds))
  return Map.groupBy(
    rows.map((raw) => decode(OrderItem, { ...raw })),
    (item) => item.order,
  )
}

/** Reads the items of several orders in one query, and caches them for later reads of a single order. */
export async function readItemsAhead(context: Context, orderIds: string[]): Promise<OrderItemRow[]> {
  const rows = await itemsOfOrders(context.db, context.accountId, orderIds)
  const byOrder = Map.groupBy(rows, (raw) => raw.order)
  for (const id of orderIds) prime(context, asked([id]), byOrder.get(id) ?? [])
  return rows.map((raw) => decode(OrderItem, { ...raw }))
}

function asked(orderIds: string[]) {
  return { name: `items of ${orderIds}`, tables: ['order_items'] as const }
}

const itemsOfOrders = compileForIds((db: Context['db'], accountId, orderIds) =>
  rowsOf({ db, accountId }, 'order_items').selectAll().where('order', 'in', orderIds).orderBy('order').orderBy('line'),
)

export async function itemsOf(context: Context, orderId: string): Promise<OrderItemRow[]> {
  return (await itemsByOrder([orderId], context)).get(orderId) ?? []
}

/** Returns the bought products in words: `Ruby Handbook × 2 and 1 more`. */
export function boughtWords({ line_items: [first, ...others] = [] }: Bought): string {
  if (!first) return 'Order'
  const name = first.quantity > 1 ? `${first.product_name} × ${first.quantity}` : first.product_name
  return others.length > 0 ? `${name} and ${others.length} more` : name
}

interface Bought {
  line_items?: readonly Pick<OrderItemRow, 'product_name' | 'quantity'>[] | undefined
}
