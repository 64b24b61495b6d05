import type { SavedMethod } from '../../../../providers/payments/provider.ts'
import { decode } from '../../../../records/columns.ts'
import type { Context } from '../../../../records/context.ts'
import { requireRow } from '../../../../records/records.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import type { Tables } from '../../../tables.ts'
import { Subscription, type SubscriptionRow } from '../subscription.ts'

export type CardChangeRow = Tables['card_changes']

const MOST_SUBSCRIPTIONS = 100

export async function chargedSubscriptions(context: Context, customer: string): Promise<SubscriptionRow[]> {
  const rows = await rowsOf(context, 'subscriptions')
    .selectAll()
    .where('customer', '=', customer)
    .where('status', '!=', 'canceled')
    .where('ends_at', 'is', null)
    .orderBy('id')
    .limit(MOST_SUBSCRIPTIONS)
    .execute()
  return rows.map((row) => decode<SubscriptionRow>(Subscription, row))
}

/** Returns the latest card change, which may be finished. */
export function latestChange(context: Context, customer: string): Promise<CardChangeRow | undefined> {
  return rowsOf(context, 'card_changes').selectAll().where('customer', '=', customer).executeTakeFirst()
}

export function findChange(context: Context, id: string): Promise<CardChangeRow | undefined> {
  return rowsOf(context, 'card_changes').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Whether the buyer may still be entering a card at the provider. */
export function isOpen({ status, expires_at }: CardChangeRow, { realNow }: Pick<Context, 'realNow'>): boolean {
  return (status === 'begun' || status === 'needs_buyer') && expires_at > realNow
}

export function savedMethod(method: string): SavedMethod {
  return JSON.parse(method) as SavedMethod
}

/** Returns a name such as `Visa ending in 4242`; null if no card is saved or the provider does not name it. */
export async function cardOf(context: Context, subscription: string): Promise<string | null> {
  const { method } = await requireRow(context, Subscription, subscription)
  return (method && savedMethod(method).card) || null
}
