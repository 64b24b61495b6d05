import { sql } from 'kysely'
import type { Context } from '../../../../records/context.ts'
import { rowsOf } from '../../../../records/rows-of.ts'

/** The work that still depends on a connection. */
export interface Uses {
  /** Subscriptions that are charged by it. */
  subscriptions: number
  /** Refunds that the provider has not settled yet. */
  refunds: number
  /** Orders whose payment is disputed. */
  disputes: number
  /** Payments whose outcome is not known yet. */
  payments: number
}

const COUNT = sql<number | string>`count(*)`.as('count')

export async function usesOf(context: Pick<Context, 'db' | 'accountId'>, id: string): Promise<Uses> {
  const paid = rowsOf(context, 'payments').where('provider', '=', id)
  const subscriptions = rowsOf(context, 'subscriptions').where('provider', '=', id).where('status', '!=', 'canceled')
  const refunds = rowsOf(context, 'refunds').where('status', '=', 'pending').where('payment', 'in', paid.select('id'))
  const disputes = rowsOf(context, 'orders').where('status', '=', 'disputed').where('id', 'in', paid.select('order_id'))
  const payments = paid.where('status', 'in', ['begun', 'needs_buyer', 'pending'])
  return {
    subscriptions: countOf(await subscriptions.select(COUNT).executeTakeFirstOrThrow()),
    refunds: countOf(await refunds.select(COUNT).executeTakeFirstOrThrow()),
    disputes: countOf(await disputes.select(COUNT).executeTakeFirstOrThrow()),
    payments: countOf(await payments.select(COUNT).executeTakeFirstOrThrow()),
  }
}

function countOf({ count }: { count: number | string }): number {
  return Number(count)
}
