import { laterBy } from '../../../contract/values/values.ts'
import type { Context, Enqueueable } from '../../../records/context.ts'
import type { Interval } from '../../../words/intervals.ts'
import type { Due } from './due.ts'
import type { SubscriptionRow } from './subscription.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Buyers forget what is charged twice a year or less often. Some laws want them told between 15 and 45 days before. */
const LONG_PERIOD_DAYS = 180
const BEFORE_RENEWAL_MS = 30 * DAY_MS
/** Card networks want seven days before a trial ends; a trial that is shorter than two weeks is told of two days before. */
const LONG_TRIAL_MS = 14 * DAY_MS
const SHORTEST_TRIAL_MS = 4 * DAY_MS
const BEFORE_LONG_TRIAL_MS = 7 * DAY_MS
const BEFORE_TRIAL_MS = 2 * DAY_MS

const DAYS: Record<Interval, number> = { day: 1, week: 7, month: 30, year: 365 }

export interface Coming {
  subscription: string
  /** When the charge is due. One that is due at another time by then has a letter of its own. */
  chargedAt: string
}

/** The job that tells a buyer of a charge that comes, by its name: its work leads back to what plans it. */
export const TELL_OF_CHARGE: Enqueueable<Coming> = { name: 'subscription.tell_of_charge' }

/** Plans the letter about the next charge in place of the one that was planned; null where none is to be sent any more. */
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

/** How long before its next charge a buyer is told; null for never. */
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
