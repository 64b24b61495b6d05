import { sql } from 'kysely'
import { declineOf } from '../../../../format/declines.ts'
import { formatMoment } from '../../../../format/moments.ts'
import { formatMoney } from '../../../../format/money.ts'
import type { Context } from '../../../../records/context.ts'
import { findNamed, findRows } from '../../../../records/records.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import { Customer } from '../../../audience/customer/customer.ts'
import { currentAccount } from '../../../company/account/current.ts'
import { Order } from '../../../sales/order/order.ts'
import type { Fact } from '../templates/letter.ts'
import type { GatheredLetter } from './letters.ts'

/** The number of items that a letter lists, and the maximum number that is counted. */
const LISTED = 10
export const MOST_COUNTED = 1000

interface Gathered {
  count: number
  sums: { currency: string; amount: number }[]
  latest: Fact[]
}

interface GatheredItem {
  customer: string
  amount: number | null
  currency: string
  why: string | null
}

/** Summarizes the events since a time. Each query reads a limited number of rows from one range of an index. */
export async function gather(context: Context, letter: GatheredLetter, since: string): Promise<Gathered> {
  const all = await GATHERERS[letter](context, since)
  const sums = new Map<string, number>()
  for (const { amount, currency } of all) sums.set(currency, (sums.get(currency) ?? 0) + (amount ?? 0))
  const named = all.slice(0, LISTED)
  const customers = await findNamed(context, Customer, 'customer', named)
  const latest = named.map(({ customer, amount, currency, why }) => ({
    label: customers.get(customer)?.email ?? 'A customer',
    value: [formatMoney(amount ?? 0, currency), why].filter(Boolean).join(': '),
  }))
  return { count: all.length, sums: [...sums].map(([currency, amount]) => ({ currency, amount })), latest }
}

/** Statuses are literals in the SQL, because partial indexes cannot be used with parameters. */
const GATHERERS: Record<GatheredLetter, (context: Context, since: string) => Promise<GatheredItem[]>> = {
  async sales(context, since) {
    const paid = rowsOf(context, 'orders').select(['customer', 'amount', 'currency']).where('paid_at', '>=', since)
    const rows = await paid.where('amount', '>', 0).orderBy('paid_at', 'desc').limit(MOST_COUNTED).execute()
    return rows.map((row) => ({ ...row, why: null }))
  },
  async failed_payments(context, since) {
    const rows = await rowsOf(context, 'subscriptions')
      .select(['customer', 'amount_due as amount', 'currency', 'last_payment_error_code as code'])
      .where(sql<boolean>`status in ('past_due', 'unpaid')`)
      .where('updated_at', '>=', since)
      .orderBy('updated_at', 'desc')
      .limit(MOST_COUNTED)
      .execute()
    return rows.map(({ code, ...row }) => ({ ...row, why: declineOf(code).merchant }))
  },
  async disputes(context, since) {
    const rows = await rowsOf(context, 'disputes')
      .select(['order', 'amount', 'currency', 'due_at'])
      .where(sql<boolean>`status = 'needs_response'`)
      .where('updated_at', '>=', since)
      .orderBy('due_at')
      .limit(MOST_COUNTED)
      .execute()
    const named = rows.slice(0, LISTED).map(({ order }) => order)
    const [orders, { timezone }] = await Promise.all([findRows(context, Order, named), currentAccount(context)])
    return rows.map(({ order, amount, currency, due_at }) => {
      const why = due_at === null ? null : `answer by ${formatMoment(due_at, timezone)}`
      return { customer: orders.get(order)?.customer ?? '', amount, currency, why }
    })
  },
  async refunds(context, since) {
    const made = rowsOf(context, 'refunds').select(['order', 'amount', 'currency', 'created_at', 'reason', 'status'])
    const rows = await made.orderBy('id', 'desc').limit(MOST_COUNTED).execute()
    const recent = rows.filter(({ created_at, status }) => created_at >= since && status === 'succeeded')
    const orders = await findNamed(context, Order, 'order', recent.slice(0, LISTED))
    return recent.map(({ order, amount, currency, reason }) => {
      return { customer: orders.get(order)?.customer ?? '', amount, currency, why: reason }
    })
  },
}
