import { ApiError } from '../../../contract/declarations/errors.ts'
import { DAY_MS, laterBy } from '../../../contract/values/values.ts'
import type { Interval } from '../../../format/intervals.ts'
import type { Context, Enqueueable } from '../../../records/context.ts'
import { changeRow, requireRow } from '../../../records/records.ts'
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

/** Buyers forget rare charges, so an e-mail announces periods of this length or more. Some laws require it 15 to 45 days before. */
const LONG_PERIOD_DAYS = 180
const BEFORE_RENEWAL_MS = 30 * DAY_MS
/** Card networks require an e-mail seven days before a trial ends; for a trial of less than two weeks, it is sent two days before. */
const LONG_TRIAL_MS = 14 * DAY_MS
const SHORTEST_TRIAL_MS = 4 * DAY_MS
const BEFORE_LONG_TRIAL_MS = 7 * DAY_MS
const BEFORE_TRIAL_MS = 2 * DAY_MS

const DAYS: Record<Interval, number> = { day: 1, week: 7, month: 30, year: 365 }

export interface ComingCharge {
  subscription: string
  /** If this time changes, another e-mail is sent. */
  chargedAt: string
}

/** Only the name of the job is declared here, because the file with its work imports this file. */
export const TELL_OF_CHARGE: Enqueueable<ComingCharge> = { name: 'subscription.tell_of_charge' }

/** Schedules the e-mail about the next charge, in place of an earlier one. Returns the job id, or null if no e-mail is needed. */
async function planNotice(context: Context, subscription: SubscriptionRow, due: Due | null): Promise<string | null> {
  if (subscription.notice_job !== null) await context.cancel(subscription.notice_job)
  const lead = due?.step === 'charge' ? leadOf(subscription) : null
  if (due === null || lead === null) return null
  const runAt = laterBy(due.at, -lead)
  if (runAt <= context.now) return null
  return context.enqueue(TELL_OF_CHARGE, { subscription: subscription.id, chargedAt: due.at }, { runAt })
}

/** Returns how many milliseconds before the next charge the e-mail is sent; null for no e-mail. */
function leadOf({ status, unpaid_since, trial_ends_at, created_at, terms }: SubscriptionRow): number | null {
  if (unpaid_since !== null) return null
  if (status === 'trialing' && trial_ends_at !== null) {
    const length = Date.parse(trial_ends_at) - Date.parse(created_at)
    if (length < SHORTEST_TRIAL_MS) return null
    return length < LONG_TRIAL_MS ? BEFORE_TRIAL_MS : BEFORE_LONG_TRIAL_MS
  }
  const isLong = DAYS[terms.interval] * terms.interval_count >= LONG_PERIOD_DAYS
  return status === 'active' && isLong ? BEFORE_RENEWAL_MS : null
}

/** In days after the due date: the retries of a failed charge, the end of the retries, and the end of the subscription. */
const RETRY_DAYS = [1, 3, 5, 7]
const UNPAID_DAY = 14
const END_DAY = 30

/** How often it is checked whether a connection that is out of order works again. */
const LOOKED_AGAIN_MS = DAY_MS / 4

/** `charge` charges the next period, `give_up` ends the attempts, `resume` ends a pause, and `end` ends the subscription. */
export type Step = 'charge' | 'give_up' | 'resume' | 'end'

interface Due {
  step: Step
  at: string
}

/** Returns the next step; null if it is over or waits for a person or a payment. `now` is the time of the last step. */
export function nextDue(subscription: SubscriptionRow, now: string): Due | null {
  const { status, ends_at, paying, resumes_at, current_period_end, unpaid_since, held_since } = subscription
  if (status === 'canceled') return null
  if (ends_at !== null) return { step: 'end', at: ends_at }
  if (paying !== null) return null
  if (status === 'paused') return resumes_at === null ? null : { step: 'resume', at: resumes_at }
  if (held_since !== null) return { step: status === 'unpaid' ? 'end' : 'charge', at: laterBy(now, LOOKED_AGAIN_MS) }
  if (unpaid_since !== null) return nextOfUnpaid(status, unpaid_since, now)
  return { step: 'charge', at: current_period_end! }
}

function nextOfUnpaid(status: SubscriptionRow['status'], since: string, now: string): Due {
  if (status === 'unpaid') return { step: 'end', at: endOfUnpaid(since) }
  const retry = RETRY_DAYS.map((day) => dayAfter(since, day)).find((at) => at > now)
  return retry === undefined ? { step: 'give_up', at: dayAfter(since, UNPAID_DAY) } : { step: 'charge', at: retry }
}

/** `since` is the due date of the unpaid period. */
export function endOfUnpaid(since: string): string {
  return dayAfter(since, END_DAY)
}

function dayAfter(timestamp: string, days: number): string {
  return laterBy(timestamp, days * DAY_MS)
}
