import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context, Enqueueable } from '../../../records/context.ts'
import { changeRow, requireRow } from '../../../records/records.ts'
import { planNotice } from './coming-charge.ts'
import { nextDue, type Step } from './due.ts'
import { Subscription, type SubscriptionRow } from './subscription.ts'

export interface DueStep {
  subscription: string
  step: Step
}

/** Only the name of the job is declared here, because the file with its work imports this file. */
export const SUBSCRIPTION_DUE: Enqueueable<DueStep> = { name: 'subscription.due' }

/**
 * Schedules the next step in place of an earlier one. Call it after every change of a field that `nextDue` reads. If `awaited` is set, the
 * response waits for the job.
 */
export async function scheduleNext(
  context: Context,
  subscription: SubscriptionRow,
  { awaited = false } = {},
): Promise<SubscriptionRow> {
  if (subscription.due_job !== null) await context.cancel(subscription.due_job)
  const due = nextDue(subscription, context.now)
  const falling = due && { subscription: subscription.id, step: due.step }
  const due_job = falling && (await context.enqueue(SUBSCRIPTION_DUE, falling, { runAt: due.at, awaited }))
  const notice_job = await planNotice(context, subscription, due)
  return changeRow(context, Subscription, subscription, { due_job, notice_job })
}

/** Throws a 400 unless the unpaid period can be paid now. */
export async function requirePayablePeriod(context: Context, id: string): Promise<void> {
  const { unpaid_since, status, paying } = await requireRow(context, Subscription, id)
  if (unpaid_since === null || status === 'canceled')
    throw new ApiError('invalid_state', 'This subscription has nothing left to pay.')
  if (paying !== null) throw new ApiError('invalid_state', 'This subscription is already being paid.')
}

/** Records the payment in progress, so that no other payment of the subscription can start. */
export async function holdPeriod(context: Context, id: string, payment: string): Promise<void> {
  const subscription = await requireRow(context, Subscription, id)
  await scheduleNext(context, await changeRow(context, Subscription, subscription, { paying: payment }))
}
