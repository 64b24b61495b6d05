import type { Row } from '../../../contract/declarations/noun.ts'
import { compileOnce } from '../../../database/compile-once.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import type { Order } from './order.ts'

/** When the buyer of an order last paid one in its currency; null for the first. */
export async function lastPaidAt(
  { db, accountId }: Context,
  { customer, currency }: Row<typeof Order>,
): Promise<string | null> {
  const [last] = await lastOrder(db, accountId, customer, currency)
  return last?.paid_at ?? null
}

const lastOrder = compileOnce((db: Context['db'], accountId: string, customer: string, currency: string) =>
  rowsOf({ db, accountId }, 'orders')
    .select('paid_at')
    .where('customer', '=', customer)
    .where('currency', '=', currency)
    .where('paid_at', 'is not', null)
    .orderBy('paid_at', 'desc')
    .limit(1),
)
