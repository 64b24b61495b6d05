import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../records/context.ts'

interface PaidOrder {
  id: string
  customer: string
}

/** Orders that were paid, whatever came back of them since. */
const PAID = sql.join(['succeeded', 'partially_refunded', 'refunded', 'disputed'])

/** Counts orders that were taken: in the figures of their buyers, and as those before and after their other orders. */
export async function notePaid(context: Context, orders: readonly PaidOrder[]): Promise<void> {
  if (orders.length === 0) return
  await noteNeighbours(context, sql.join(orders.map(({ id }) => id)))
  await countAnew(context, sql.join([...new Set(orders.map(({ customer }) => customer))]))
}

type Ids = ReturnType<typeof sql.join>

/**
 * Notes on these orders, and on the next order of each one's buyer, when the buyer paid the one before in the same currency. Files
 * have orders in any sequence.
 */
async function noteNeighbours(context: Context, ids: Ids): Promise<void> {
  await notePrevious(context, ids)
  // By itself: with both in one condition, the embedded engine reads all orders of the account.
  await notePrevious(
    context,
    sql`
      select (
        select later.id from orders as later
        where later.account_id = taken.account_id and later.customer = taken.customer
          and later.currency = taken.currency and later.paid_at is not null and later.id <> taken.id
          and (later.paid_at > taken.paid_at or (later.paid_at = taken.paid_at and later.id > taken.id))
        order by later.paid_at, later.id limit 1
      ) from orders as taken where taken.account_id = ${context.accountId} and taken.id in (${ids})
    `,
  )
}

async function notePrevious({ db, accountId }: Context, ids: RawBuilder<unknown>): Promise<void> {
  await sql`
    update orders set previous_paid_at = (
      select earlier.paid_at from orders as earlier
      where earlier.account_id = orders.account_id and earlier.customer = orders.customer
        and earlier.currency = orders.currency and earlier.paid_at is not null and earlier.id <> orders.id
        and (earlier.paid_at < orders.paid_at or (earlier.paid_at = orders.paid_at and earlier.id < orders.id))
      order by earlier.paid_at desc limit 1
    )
    where account_id = ${accountId} and id in (${ids})
  `.execute(db)
}

/** The type of a customer never falls. Only the account's default currency counts as spend. */
async function countAnew({ db, accountId }: Context, customers: Ids): Promise<void> {
  const own = sql`orders.account_id = customers.account_id and orders.customer = customers.id and orders.paid_at is not null`
  // Not by the moment of the payment: the embedded engine would look for it among all orders of the account.
  const paid = sql`orders.account_id = customers.account_id and orders.customer = customers.id and orders.status in (${PAID})`
  await sql`
    update customers set
      orders_count = (select count(*) from orders where ${own}),
      total_spend = coalesce((
        select sum(orders.amount - orders.amount_refunded) from orders
        where ${own} and orders.status in (${PAID})
          and orders.currency = (select default_currency from accounts where accounts.account_id = customers.account_id and accounts.id = customers.account_id)
      ), 0),
      customer_type = case
        when customer_type = 'paid' or exists (select 1 from orders where ${paid} and orders.amount > 0) then 'paid'
        else 'free'
      end
    where account_id = ${accountId} and id in (${customers})
  `.execute(db)
}
