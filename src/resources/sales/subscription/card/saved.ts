import type { SavedMethod } from '../../../../outside/payments/provider.ts'
import type { Context } from '../../../../records/context.ts'
import { requireRow } from '../../../../records/records.ts'
import { Subscription } from '../subscription.ts'

/** The saved method in a row of a subscription or a payment. */
export function savedMethod(method: string): SavedMethod {
  return JSON.parse(method) as SavedMethod
}

/** The card that a subscription is charged to: `Visa ending in 4242`; null where none is saved or its provider does not name it. */
export async function cardOf(context: Context, subscription: string): Promise<string | null> {
  const { method } = await requireRow(context, Subscription, subscription)
  return (method && savedMethod(method).card) || null
}
