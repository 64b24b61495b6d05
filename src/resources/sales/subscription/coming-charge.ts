import { laterBy } from '../../../contract/values/values.ts'
import type { Interval } from '../../../format/intervals.ts'
import type { Context, Enqueueable } from '../../../records/context.ts'
import type { Due } from './due.ts'
import type { SubscriptionRow } from './subscription.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Periods of this length or more are announced, because buyers forget rare charges. Some laws require a notice 15 to 45 days before. */
const LONG_PERIOD_DAYS = 180
const BEFORE_RENEWAL_MS = 30 * DAY_MS
/** Card networks require a notice seven days before a trial ends; a trial shorter than two weeks is announced two days before its end. */
const LONG_TRIAL_MS = 14 * DAY_MS
const SHORTEST_TRIAL_MS = 4 * DAY_MS
const BEFORE_LONG_TRIAL_MS = 7 * DAY_MS
const BEFORE_TRIAL_MS = 2 * DAY_MS

const DAYS: Record<Interval, number> = { day: 1, week: 7, month: 30, year: 365 }

export interface ComingCharge {
  subscription: string
  /** When the charge is due. If the due time changes, the new one has an e-mail of its own. */
  chargedAt: string
}

/** The job that tells a buyer of a coming charge, declared by its name because its work imports the code that plans it. */
export const TELL_OF_CHARGE: Enqueueable<ComingCharge> = { name: 'subscription.tell_of_charge' }

/** Schedules the e-mail about the next charge, replacing the scheduled one. Returns the job's id, or null if none is to be sent. */
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

/** Returns how long before its next charge a buyer is notified; null for never. */
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
