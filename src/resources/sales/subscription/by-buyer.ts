import { ApiError, missingResource } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { findRow } from '../../../records/records.ts'
import { currentAccount } from '../../company/account/current.ts'
import { type Action, actionsOf } from './actions.ts'
import { cancelSubscription, pauseSubscription } from './cancel.ts'
import { resumeSubscription } from './resume.ts'
import { Subscription, type SubscriptionRow } from './subscription.ts'

export const BUYER_ACTION_EVENTS = [
  'subscription.canceled',
  'subscription.updated',
  'subscription.paused',
  'subscription.resumed',
  'order.failed',
  'checkout.expired',
]

/** Throws `resource_missing` if the subscription is unknown or belongs to another customer. */
export async function ownSubscription(context: Context, customer: string, id: string): Promise<SubscriptionRow> {
  const found = await findRow(context, Subscription, id)
  if (found?.customer !== customer) throw missingResource(Subscription.name)
  return found
}

/** A buyer cannot cancel twice, and can pause only if the shop permits it. */
export async function buyerActions(context: Context, subscription: SubscriptionRow): Promise<Action[]> {
  const { buyers_may_pause } = await currentAccount(context)
  return actionsOf(subscription, context.now).filter((action) => {
    if (action === 'pause') return buyers_may_pause
    // An imported subscription may still be charged by its former system, which only the shop knows.
    if (action === 'resume') return !subscription.awaits_takeover
    return subscription.ends_at === null
  })
}

/** Performs the action as the API does; a cancellation takes effect after the paid period. Throws `invalid_state` if not allowed. */
export async function actAsBuyer(
  context: Context,
  subscription: SubscriptionRow,
  action: Action,
  reason: string | null,
): Promise<SubscriptionRow> {
  const allowed = await buyerActions(context, subscription)
  if (!allowed.includes(action))
    throw new ApiError('invalid_state', 'This cannot be done with the subscription any more.')
  await context.remember(Subscription, [subscription])
  switch (action) {
    case 'cancel':
      return cancelSubscription(context, subscription, { reason })
    case 'pause':
      return pauseSubscription(context, subscription, {})
    case 'resume':
      return resumeSubscription(context, subscription)
  }
}
