import { type RawBuilder, sql } from 'kysely'
import { sendOnce } from '../../../database/compile-once.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf, updateRowsOf } from '../../../records/rows-of.ts'

/** The changes to a customer's `orders_count`, `total_spend` and `customer_type`. */
interface SaleOrRefund {
  /** The number of new orders; absent for a refund. */
  orders?: number
  /** The amount in minor units of `currency`; negative for a refund. */
  spend: number
  currency: string
  /** Whether money was paid; false for a free order. */
  paid?: boolean
}

/** Updates a customer's figures. Spend counts only in the account's default currency, and the customer type is never lowered. */
export async function countSale(context: Context, customerId: string, sale: SaleOrRefund): Promise<void> {
  const { orders = 0, spend, currency, paid = false } = sale
  const raising = paid ? countPaid : countFree
  const count = orders > 0 ? raising : countRefund
  await count(context.db, context.accountId, customerId, orders, spend, currency)
}

const countPaid = counting({ customer_type: sql<'paid'>`'paid'` })
const countFree = counting({
  customer_type: sql<'free'>`case customer_type when 'lead' then 'free' else customer_type end`,
})
const countRefund = counting({})

function counting(raised: { customer_type?: RawBuilder<'paid' | 'free'> }) {
  return sendOnce(
    (db: Context['db'], accountId: string, id: string, orders: number, spend: number, currency: string) => {
      const counts = rowsOf({ db, accountId }, 'accounts').select('id').where('default_currency', '=', currency)
      return updateRowsOf({ db, accountId }, 'customers')
        .set({
          orders_count: sql<number>`orders_count + ${orders}`,
          total_spend: sql<number>`total_spend + case when exists ${counts} then ${spend} else 0 end`,
          ...raised,
        })
        .where('id', '=', id)
    },
  )
}

/** Statuses of orders that were paid, including those refunded later. */
export const PAID = sql.join(['succeeded', 'partially_refunded', 'refunded', 'disputed'])

/** Recomputes the spend of all customers in the currency that becomes the account's default. */
export async function recountSpend(context: Context, currency: string): Promise<void> {
  const spent = sql<number>`coalesce((
    select sum(orders.amount - orders.amount_refunded) from orders
    where orders.account_id = customers.account_id and orders.customer = customers.id
      and orders.currency = ${currency} and orders.status in (${PAID})
  ), 0)`
  await updateRowsOf(context, 'customers').set({ total_spend: spent }).execute()
}
