import { ApiError, invalid } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { endAccess } from '../access.ts'
import { giveUp } from '../payment/jobs.ts'
import { requireAllowed } from './actions.ts'
import { closeOpenCheckout } from './checkouts.ts'
import { mailCanceled } from './letters.ts'
import { isPaidUp } from './period.ts'
import { scheduleNext } from './schedule.ts'
import { Subscription, type SubscriptionRow } from './subscription.ts'

/** Cancels at the end of the paid period or trial; at once if neither is running or `immediately` is set. */
export async function cancelSubscription(
  context: Context,
  subscription: SubscriptionRow,
  { immediately = false, reason: given }: { immediately?: boolean; reason?: string | null | undefined },
): Promise<SubscriptionRow> {
  requireNotEnding(subscription, immediately)
  const reason = given ?? subscription.cancellation_reason
  if (!immediately && runsOn(subscription, context.now)) return cancelAtPeriodEnd(context, subscription, reason)
  const free = await stopPayment(context, subscription, 'The subscription was canceled.')
  await context.enqueue(mailCanceled, { subscription: free.id })
  return endSubscription(context, free, { at: context.now, reason: reason ?? (isPaidUp(free) ? 'completed' : null) })
}

function requireNotEnding({ ends_at }: SubscriptionRow, immediately: boolean): void {
  if (ends_at !== null && !immediately)
    throw new ApiError(
      'invalid_state',
      `This subscription already ends at ${ends_at}; send immediately: true to end it now.`,
    )
}

function runsOn({ status, current_period_end }: SubscriptionRow, now: string): boolean {
  return (status === 'active' || status === 'trialing') && current_period_end! > now
}

async function cancelAtPeriodEnd(
  context: Context,
  subscription: SubscriptionRow,
  cancellation_reason: string | null,
): Promise<SubscriptionRow> {
  const ends_at = subscription.current_period_end!
  await endAccess(context, { subscription: subscription.id }, ends_at)
  const changes = { canceled: true, canceled_at: context.now, ends_at, cancellation_reason }
  const ending = await scheduleNext(context, await changeRow(context, Subscription, subscription, changes))
  context.emit(Subscription, 'updated', ending)
  await context.enqueue(mailCanceled, { subscription: ending.id })
  return ending
}

/** Ends a subscription, and its access at the time `at`. Access does not end if all installments are paid. */
export async function endSubscription(
  context: Context,
  subscription: SubscriptionRow,
  { at, reason }: { at: string; reason: string | null },
): Promise<SubscriptionRow> {
  if (subscription.due_job !== null) await context.cancel(subscription.due_job)
  if (!isPaidUp(subscription)) await endAccess(context, { subscription: subscription.id }, at)
  await closeOpenCheckout(context, subscription.id)
  const ended = await changeRow(context, Subscription, subscription, {
    ...{ status: 'canceled', canceled: true, canceled_at: subscription.canceled_at ?? context.now },
    ...{ ends_at: at, cancellation_reason: reason, paused: false, paused_at: null, resumes_at: null, due_job: null },
  })
  return context.emit(Subscription, 'canceled', ended)
}

/** Pauses a subscription: charges stop, and access ends with the paid period or the trial. */
export async function pauseSubscription(
  context: Context,
  subscription: SubscriptionRow,
  { resumes_at = null }: { resumes_at?: string | null },
): Promise<SubscriptionRow> {
  const { now } = context
  requireAllowed(subscription, 'pause', now)
  if (resumes_at !== null && resumes_at <= now) throw invalid({ resumes_at: ['must be in the future'] })
  const free = await stopPayment(context, subscription, 'The subscription was paused.')
  const end = free.current_period_end!
  await endAccess(context, { subscription: free.id }, end > now ? end : now)
  const changes = { status: 'paused', paused: true, paused_at: now, resumes_at } as const
  const paused = await scheduleNext(context, await changeRow(context, Subscription, free, changes))
  return context.emit(Subscription, 'paused', paused)
}

/** Gives up a payment in progress, if any; money that still arrives is refunded. */
async function stopPayment(context: Context, subscription: SubscriptionRow, why: string): Promise<SubscriptionRow> {
  const { paying } = subscription
  if (paying === null) return subscription
  const free = await changeRow(context, Subscription, subscription, { paying: null })
  await giveUp(context, paying, why)
  return free
}
