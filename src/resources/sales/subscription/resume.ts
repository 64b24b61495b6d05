import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { continueAccess, prolongAccess } from '../access.ts'
import { requireAllowed } from './actions.ts'
import { scheduleNext } from './schedule.ts'
import { Subscription, type SubscriptionRow } from './subscription.ts'

/** Resumes a subscription. If the paid period is over, a new one begins and is charged now, and the response waits for that. */
export async function resumeSubscription(context: Context, subscription: SubscriptionRow): Promise<SubscriptionRow> {
  requireAllowed(subscription, 'resume', context.now)
  return goOn(context, subscription)
}

/** Like `resumeSubscription`, but without the check whether the status allows it. */
export async function goOn(context: Context, subscription: SubscriptionRow): Promise<SubscriptionRow> {
  const { now } = context
  const over = subscription.current_period_end! <= now
  const running = await changeRow(context, Subscription, subscription, {
    ...{ status: statusOf(subscription, now), canceled: false, canceled_at: null, cancellation_reason: null },
    ...{ held_since: null, due_since: null },
    ...{ ends_at: null, paused: false, paused_at: null, resumes_at: null, awaits_takeover: false },
    ...(over && { current_period_end: now, anchor: null, periods: 0 }),
  })
  if (over) await continueAccessTo(context, running, running.order)
  // Access that a refund has ended is not restored.
  else await prolongAccess(context, grantedBy(running, running.order))
  return context.emit(Subscription, 'resumed', await scheduleNext(context, running, { awaited: over }))
}

function statusOf({ trial_ends_at }: SubscriptionRow, now: string): 'active' | 'trialing' {
  return trial_ends_at !== null && trial_ends_at > now ? 'trialing' : 'active'
}

/** `order` is the order that paid for the current period. */
export function continueAccessTo(context: Context, subscription: SubscriptionRow, order: string): Promise<void> {
  return continueAccess(context, grantedBy(subscription, order))
}

function grantedBy({ id, customer, product, price_variant, terms }: SubscriptionRow, order: string) {
  const line = { product, price_variant, revoke_after_days: terms.revoke_after_days }
  return { customer, order, subscription: id, lines: [line] }
}
