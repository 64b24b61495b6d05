import { laterBy } from '../../../contract/values/values.ts'
import type { Interval } from '../../../format/intervals.ts'
import type { Context, Enqueueable } from '../../../records/context.ts'
import type { Due } from './due.ts'
import type { SubscriptionRow } from './subscription.ts'

const DAY_MS = 24 * 60 * 60 * 1000

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
export async function planNotice(
  context: Context,
  subscription: SubscriptionRow,
  due: Due | null,
): Promise<string | null> {
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
