import { laterBy } from '../../../contract/values/values.ts'
import type { SubscriptionRow } from './subscription.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** In days after the due date: the retries of a failed charge, the end of the retries, and the end of the subscription. */
const RETRY_DAYS = [1, 3, 5, 7]
const UNPAID_DAY = 14
const END_DAY = 30

/** How often it is checked whether a connection that is out of order works again. */
const LOOKED_AGAIN_MS = DAY_MS / 4

/** `charge` charges the next period, `give_up` ends the attempts, `resume` ends a pause, and `end` ends the subscription. */
export type Step = 'charge' | 'give_up' | 'resume' | 'end'

export interface Due {
  step: Step
  at: string
}

/** Returns null if the subscription waits for a person or a payment. `now` is the time at which the previous step was done. */
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
