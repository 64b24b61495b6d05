import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../records/context.ts'
import { PAID } from '../../audience/customer/figures.ts'

/** Updates the order count, spend and type of the buyers, and `previous_paid_at` of orders, after orders were inserted in bulk. */
export async function notePaid(context: Context, orders: readonly { id: string; customer: string }[]): Promise<void> {
  if (orders.length === 0) return
  await setPreviousPayments(context, sql.join(orders.map(({ id }) => id)))
  await recountCustomers(context, sql.join([...new Set(orders.map(({ customer }) => customer))]))
}

type Ids = ReturnType<typeof sql.join>

/** Sets `previous_paid_at` of the orders and of each buyer's next order, because orders may be inserted in any sequence. */
async function setPreviousPayments(context: Context, ids: Ids): Promise<void> {
  await setPreviousPaidAt(context, ids)
  // Two statements are needed, because SQLite would read all orders of the account for a single one.
  await setPreviousPaidAt(
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

async function setPreviousPaidAt({ db, accountId }: Context, ids: RawBuilder<unknown>): Promise<void> {
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

/** The customer type is never downgraded, and only payments in the account's default currency count as spend. */
async function recountCustomers({ db, accountId }: Context, customers: Ids): Promise<void> {
  const own = sql`orders.account_id = customers.account_id and orders.customer = customers.id and orders.paid_at is not null`
  // The condition uses the status because SQLite would search all orders of the account by `paid_at`.
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
