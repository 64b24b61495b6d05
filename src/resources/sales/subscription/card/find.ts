import type { SavedMethod } from '../../../../providers/payments/provider.ts'
import { decode } from '../../../../records/columns.ts'
import type { Context } from '../../../../records/context.ts'
import { requireRow } from '../../../../records/records.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import type { Tables } from '../../../tables.ts'
import { Subscription, type SubscriptionRow } from '../subscription.ts'

export type CardChangeRow = Tables['card_changes']

/** The maximum number of subscriptions that are read for a customer. */
const MOST_SUBSCRIPTIONS = 100

/** Returns the customer's subscriptions that have no end date, oldest first. */
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

/** Returns the customer's latest card change, which may be finished (`isOpen`). */
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

/** Parses the JSON of a payment method from a row of a subscription or payment. */
export function savedMethod(method: string): SavedMethod {
  return JSON.parse(method) as SavedMethod
}

/** Returns the name of a subscription's card (`Visa ending in 4242`); null if no card is saved or the provider does not name it. */
export async function cardOf(context: Context, subscription: string): Promise<string | null> {
  const { method } = await requireRow(context, Subscription, subscription)
  return (method && savedMethod(method).card) || null
}
