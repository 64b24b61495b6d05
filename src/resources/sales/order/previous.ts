import { sql } from 'kysely'
import type { Context } from '../../../records/context.ts'
import { memoize, prime } from '../../../records/memoize.ts'
import { changeRow } from '../../../records/records.ts'
import { rowsOf, send, updateRowsOf } from '../../../records/rows-of.ts'
import { Order, type OrderRow } from './order.ts'

/** Sets `previous_paid_at` of a newly paid order to the time of the buyer's previous payment in the same currency. */
export async function notePrevious(context: Context, { id, customer, currency }: OrderRow): Promise<void> {
  if (await isFirstOf(context, customer)) return
  const previous = rowsOf(context, 'orders')
    .select(({ fn }) => fn.max('paid_at').as('paid_at'))
    .where('customer', '=', customer)
    .where('currency', '=', currency)
    .where('paid_at', 'is not', null)
    .where('id', '<>', id)
  const order = updateRowsOf(context, 'orders').set({ previous_paid_at: sql<string | null>`${previous}` })
  await send(context, order.where('id', '=', id))
}

function firstOf(customer: string) {
  return { name: `first order of ${customer}`, tables: [] }
}

/** Caches that a new customer has paid no order yet, which saves a query in `notePrevious`. */
export function knowNothingPaid(context: Context, customer: string): void {
  prime(context, firstOf(customer), true)
}

/** Reads the cached answer, and sets it to false, because an order has now been paid. */
async function isFirstOf(context: Context, customer: string): Promise<boolean> {
  const isFirst = await memoize(context, firstOf(customer), async () => false)
  prime(context, firstOf(customer), false)
  return isFirst
}

/** Sets the status of an order, and copies the status and the payment time to its items. */
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
