import { sql } from 'kysely'
import type { Context } from '../../../records/context.ts'
import { rowsOf, send, updateRowsOf } from '../../../records/rows-of.ts'

/** What a sale or a refund changes of a customer's figures. */
interface Sale {
  /** Orders more; absent for a refund. */
  orders?: number
  /** Minor units of `currency`, negative for a refund. */
  spend: number
  currency: string
  /** Money was paid, not a free order. */
  paid?: boolean
}

/** Counts a sale or a refund. Only the account's default currency counts as spend, and a customer's type never falls. */
export async function countSale(context: Context, customerId: string, sale: Sale): Promise<void> {
  const { orders = 0, spend, currency, paid = false } = sale
  const counts = rowsOf(context, 'accounts').select('id').where('default_currency', '=', currency)
  const raised = paid
    ? sql<'paid'>`'paid'`
    : sql<'free'>`case customer_type when 'lead' then 'free' else customer_type end`
  const counted = updateRowsOf(context, 'customers').set({
    orders_count: sql<number>`orders_count + ${orders}`,
    total_spend: sql<number>`total_spend + case when exists ${counts} then ${spend} else 0 end`,
    ...(orders > 0 && { customer_type: raised }),
  })
  await send(context, counted.where('id', '=', customerId))
}

/** Orders that were paid, whatever came back of them since. */
const PAID = sql.join(['succeeded', 'partially_refunded', 'refunded', 'disputed'])

/** Counts anew what every customer has spent in a currency, for an account that makes it the default. */
export async function recountSpend(context: Context, currency: string): Promise<void> {
  const spent = sql<number>`coalesce((
    select sum(orders.amount - orders.amount_refunded) from orders
    where orders.account_id = customers.account_id and orders.customer = customers.id
      and orders.currency = ${currency} and orders.status in (${PAID})
  ), 0)`
  await updateRowsOf(context, 'customers').set({ total_spend: spent }).execute()
}
