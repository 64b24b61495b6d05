import { ApiError } from '../../../contract/declarations/errors.ts'
import type { SubscriptionRow } from './subscription.ts'

export type Action = 'cancel' | 'pause' | 'resume'

/** If the end is scheduled, `pause` is not allowed, and `resume` only if the last installment is not paid yet. */
export function actionsOf(subscription: SubscriptionRow, now: string): Action[] {
  const { status, canceled, ends_at } = subscription
  if (status === 'canceled') return []
  if (status === 'paused') return ['cancel', 'resume']
  if (status !== 'active' && status !== 'trialing') return ['cancel']
  if (ends_at === null) return ['cancel', 'pause']
  return canceled && ends_at > now ? ['cancel', 'resume'] : ['cancel']
}

/** Throws a 400 that lists the allowed actions. */
export function requireAllowed(subscription: SubscriptionRow, action: Action, now: string): void {
  const allowed = actionsOf(subscription, now)
  if (allowed.includes(action)) return
  const can = `Allowed: ${allowed.join(', ')}.`
  throw new ApiError('invalid_state', `Cannot ${action} a subscription that ${inWords(subscription)}. ${can}`)
}

function inWords({ status, canceled, ends_at }: SubscriptionRow): string {
  if (ends_at === null) return `is ${status}`
  return canceled ? `is canceled and ends at ${ends_at}` : `ends at ${ends_at}, after its last installment`
}
