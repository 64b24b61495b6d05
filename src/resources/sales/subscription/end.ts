import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { endAccess } from '../access.ts'
import { closeOpenCheckout } from './checkouts.ts'
import { isPaidUp } from './period.ts'
import { Subscription, type SubscriptionRow } from './subscription.ts'

interface Ending {
  at: string
  reason: string | null
}

/** Ends a subscription for good, and the access that it gave; what was paid in instalments stays. */
export async function endSubscription(
  context: Context,
  subscription: SubscriptionRow,
  { at, reason }: Ending,
): Promise<SubscriptionRow> {
  if (subscription.due_job !== null) await context.cancel(subscription.due_job)
  if (!isPaidUp(subscription)) await endAccess(context, { subscription: subscription.id }, at)
  await closeOpenCheckout(context, subscription.id)
  const ended = await changeRow(context, Subscription, subscription, {
    ...{ status: 'canceled', canceled: true, canceled_at: subscription.canceled_at ?? context.now },
    ...{ ends_at: at, cancellation_reason: reason, paused: false, paused_at: null, resumes_at: null, due_job: null },
  })
  context.emit(Subscription, 'canceled', ended)
  return ended
}
