import { sql } from 'kysely'
import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf, send, updateRowsOf } from '../../../records/rows-of.ts'
import type { Order } from './order.ts'

/** Notes on an order that is paid now when its buyer paid the one before, in the same currency. */
export async function notePrevious(context: Context, { id, customer, currency }: Row<typeof Order>): Promise<void> {
  const previous = rowsOf(context, 'orders')
    .select(({ fn }) => fn.max('paid_at').as('paid_at'))
    .where('customer', '=', customer)
    .where('currency', '=', currency)
    .where('paid_at', 'is not', null)
    .where('id', '<>', id)
  const order = updateRowsOf(context, 'orders').set({ previous_paid_at: sql<string | null>`${previous}` })
  await send(context, order.where('id', '=', id))
}
