import type { Context } from '../../../records/context.ts'
import { continueAccess, prolongAccess } from '../access.ts'
import type { SubscriptionRow } from './subscription.ts'

/** Gives access to what is subscribed to for as long as it runs, by the order that paid for the present period. */
export function continueAccessTo(context: Context, subscription: SubscriptionRow, order: string): Promise<void> {
  return continueAccess(context, grantedBy(subscription, order))
}

/** Takes back the end of access that a pause or a cancellation has planned. What a refund has ended stays ended. */
export async function takeUpAccessTo(context: Context, subscription: SubscriptionRow): Promise<void> {
  await prolongAccess(context, grantedBy(subscription, subscription.order))
}

function grantedBy({ id, customer, product, price_variant, terms }: SubscriptionRow, order: string) {
  const line = { product, price_variant, revoke_after_days: terms.revoke_after_days }
  return { customer, order, subscription: id, lines: [line] }
}
