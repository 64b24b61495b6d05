import { sql } from 'kysely'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { declineOf } from '../../../words/declines.ts'
import { formatMoney } from '../../../words/money.ts'
import type { Fact } from '../email/templates/letter.ts'
import type { GatheredLetter } from './letters.ts'

/** Things that a letter names one by one, and that are counted at most. */
const NAMED = 10
export const MOST_COUNTED = 1000

/** What has happened since a moment: how much, how much money by currency, and the latest of it. */
export interface Gathered {
  count: number
  sums: { currency: string; amount: number }[]
  latest: Fact[]
}

/** What a letter is about, by its kind. Each reads a part of an index, and a bounded number of rows. */
export function gather(context: Context, letter: GatheredLetter, since: string): Promise<Gathered> {
  return GATHERERS[letter](context, since)
}

const GATHERERS: Record<GatheredLetter, (context: Context, since: string) => Promise<Gathered>> = {
  async sales(context, since) {
    const rows = await rowsOf(context, 'orders')
      .innerJoin('customers', (join) =>
        join.onRef('customers.id', '=', 'orders.customer').on('customers.account_id', '=', context.accountId),
      )
      .select(['customers.email as who', 'orders.amount', 'orders.currency'])
      .where(sql.ref('orders.account_id'), '=', context.accountId)
      .where('orders.paid_at', '>=', since)
      .where('orders.amount', '>', 0)
      .orderBy('orders.paid_at', 'desc')
      .limit(MOST_COUNTED)
      .execute()
    return gathered(rows.map((row) => ({ ...row, why: null })))
  },
  async failed_payments(context, since) {
    const rows = await rowsOf(context, 'subscriptions')
      .innerJoin('customers', (join) =>
        join.onRef('customers.id', '=', 'subscriptions.customer').on('customers.account_id', '=', context.accountId),
      )
      .select([
        ...(['customers.email as who', 'subscriptions.amount_due as amount', 'subscriptions.currency'] as const),
        'subscriptions.last_payment_error_code as code',
      ])
      // The index holds the rows of these states alone, so they are written into the query.
      .where(sql<boolean>`subscriptions.status in ('past_due', 'unpaid')`)
      .where('subscriptions.updated_at', '>=', since)
      .orderBy('subscriptions.updated_at', 'desc')
      .limit(MOST_COUNTED)
      .execute()
    return gathered(rows.map(({ code, ...row }) => ({ ...row, why: declineOf(code).merchant })))
  },
  async disputes(context, since) {
    const rows = await rowsOf(context, 'orders')
      .innerJoin('customers', (join) =>
        join.onRef('customers.id', '=', 'orders.customer').on('customers.account_id', '=', context.accountId),
      )
      .select(['customers.email as who', 'orders.amount', 'orders.currency'])
      .where(sql<boolean>`orders.status = 'disputed'`)
      .where('orders.updated_at', '>=', since)
      .orderBy('orders.updated_at', 'desc')
      .limit(MOST_COUNTED)
      .execute()
    return gathered(rows.map((row) => ({ ...row, why: null })))
  },
  async refunds(context, since) {
    const rows = await rowsOf(context, 'refunds')
      .innerJoin('orders', (join) =>
        join.onRef('orders.id', '=', 'refunds.order').on('orders.account_id', '=', context.accountId),
      )
      .innerJoin('customers', (join) =>
        join.onRef('customers.id', '=', 'orders.customer').on('customers.account_id', '=', context.accountId),
      )
      .select(['customers.email as who', 'refunds.amount', 'refunds.currency', 'refunds.created_at', 'refunds.reason'])
      .where('refunds.status', '=', 'succeeded')
      .orderBy('refunds.id', 'desc')
      .limit(MOST_COUNTED)
      .execute()
    const recent = rows.filter(({ created_at }) => created_at >= since)
    return gathered(recent.map(({ reason, ...row }) => ({ ...row, why: reason })))
  },
}

interface One {
  who: string
  amount: number | null
  currency: string
  why: string | null
}

function gathered(all: readonly One[]): Gathered {
  const sums = new Map<string, number>()
  for (const { amount, currency } of all) sums.set(currency, (sums.get(currency) ?? 0) + Number(amount ?? 0))
  const latest = all.slice(0, NAMED).map(({ who, amount, currency, why }) => ({
    label: who,
    value: [formatMoney(Number(amount ?? 0), currency), why].filter(Boolean).join(': '),
  }))
  return { count: all.length, sums: [...sums].map(([currency, amount]) => ({ currency, amount })), latest }
}
