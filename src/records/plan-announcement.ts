import { currentTimestamp } from '../contract/values/values.ts'
import type { InAccount } from './context.ts'
import { insertJob } from './enqueue.ts'
import { rowsOf } from './rows-of.ts'

/** The name of the job that e-mails the people who may decide on plans. */
export const PLANS_WAIT = 'plans_wait'

/** Enqueues `PLANS_WAIT` unless it is already waiting. Call this before storing a proposed plan, in the same transaction. */
export async function announcePlan(place: InAccount): Promise<void> {
  const now = currentTimestamp()
  if (await unannounced(place, now).select('id').limit(1).executeTakeFirst()) return
  const moments = { now, realNow: now, test: false }
  await insertJob({ ...place, ...moments }, { name: PLANS_WAIT, lane: 'due' }, {}, {})
}

/** Selects the open plans that agents have proposed and about which no approver has been e-mailed yet. */
export function unannounced(place: InAccount, now: string) {
  const open = rowsOf(place, 'program_plans').where('state', '=', 'open').where('proposed', '=', 1)
  return open.where('announced_at', 'is', null).where('expires_at', '>', now)
}
