import { invalid } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { endAccess } from '../access.ts'
import { giveUp } from '../payment/jobs.ts'
import { requireAllowed } from './actions.ts'
import { scheduleNext } from './schedule.ts'
import { Subscription, type SubscriptionRow } from './subscription.ts'

/** Charges stop, and access ends with the paid period or the trial. */
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
  context.emit(Subscription, 'paused', paused)
  return paused
}

/** Gives up a payment in progress, if any; money that still arrives is refunded. */
export async function stopPayment(
  context: Context,
  subscription: SubscriptionRow,
  why: string,
): Promise<SubscriptionRow> {
  const { paying } = subscription
  if (paying === null) return subscription
  const free = await changeRow(context, Subscription, subscription, { paying: null })
  await giveUp(context, paying, why)
  return free
}
