import { compileForIds } from '../../database/compile-once.ts'
import type { Context } from '../../records/context.ts'
import { deleteRowsOf, rowsOf, updateRowsOf } from '../../records/rows-of.ts'
import type { Memory } from '../memory.ts'

interface Linked {
  id: string
  /** The source's id of the subscription that it paid for. */
  subscription: string | null
}

/**
 * Links orders with the subscriptions that they paid for. A subscription comes with a record in place of its first order, which
 * gives way to the earliest real one.
 */
export async function linkOrders(context: Context, memory: Memory, orders: readonly Linked[]): Promise<void> {
  const names = orders.flatMap(({ subscription }) => (subscription === null ? [] : [subscription]))
  const known = await memory.recall(context, 'subscription', names)
  const byId = Map.groupBy(orders, ({ subscription }) => known.get(subscription ?? ''))
  for (const [subscription, of] of byId) {
    if (subscription === undefined) continue
    const ids = of.map(({ id }) => id)
    await updateRowsOf(context, 'orders').set({ subscription }).where('id', 'in', ids).execute()
  }
  const linked = [...byId.keys()].filter((id) => id !== undefined)
  for (const { id, order } of await findRecords(context.db, context.accountId, linked))
    await replace(context, id, order)
}

/** Subscriptions whose first order is a record, which nobody paid. */
const findRecords = compileForIds((db: Context['db'], accountId, ids) =>
  rowsOf({ db, accountId }, 'subscriptions')
    .select(['id', 'order'])
    .where('id', 'in', ids)
    .where('order', 'in', recordsOf({ db, accountId })),
)

function recordsOf(account: Pick<Context, 'db' | 'accountId'>) {
  return rowsOf(account, 'orders').select('id').where('channel', '=', 'import').where('paid_at', 'is', null)
}

async function replace(context: Context, subscription: string, record: string): Promise<void> {
  const first = await rowsOf(context, 'orders')
    .select('id')
    .where('subscription', '=', subscription)
    .where('paid_at', 'is not', null)
    .orderBy('paid_at')
    .limit(1)
    .executeTakeFirst()
  if (!first) return
  await updateRowsOf(context, 'subscriptions').set({ order: first.id }).where('id', '=', subscription).execute()
  await updateRowsOf(context, 'access_grants').set({ order_id: first.id }).where('order_id', '=', record).execute()
  await deleteRowsOf(context, 'order_items').where('order', '=', record).execute()
  await deleteRowsOf(context, 'orders').where('id', '=', record).execute()
}
