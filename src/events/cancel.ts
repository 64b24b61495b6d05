import { sql } from 'kysely'
import { currentTimestamp } from '../contract/values.ts'
import type { Context } from '../records/context.ts'
import { insertJob } from '../records/enqueue.ts'
import { job } from '../records/job.ts'

/** Deliveries that one transaction cancels, so that nobody waits long for it. */
const STEP = 500

/** Sorts after the id of every delivery. */
export const EVERY_DELIVERY = 'whev_z'

interface Queue {
  endpoint: string
  /** Later deliveries, of an endpoint that was enabled again, stay. */
  until: string
}

/** Cancels what the transaction that stopped an endpoint has left. */
export const cancelRemaining = job<Queue>('cancel_webhook_events', {
  async work({ transaction, signal }, queue) {
    while (!signal.aborted && (await transaction((context) => cancelSome(context, queue))) === STEP);
    signal.throwIfAborted()
  },
})

/** Cancels the pending deliveries of an endpoint: the first at once, many others by a job. */
export async function cancelPending(place: Pick<Context, 'db' | 'accountId'>, queue: Queue): Promise<void> {
  const isMore = (await cancelSome(place, queue)) === STEP
  const now = currentTimestamp()
  if (isMore) await insertJob({ ...place, now, realNow: now, test: false }, cancelRemaining, queue, {})
}

async function cancelSome({ db, accountId }: Pick<Context, 'db' | 'accountId'>, queue: Queue): Promise<number> {
  const now = currentTimestamp()
  const pending = sql`
    select id from webhook_events
    where queue in ('due', 'waiting') and webhook_endpoint = ${queue.endpoint} and id <= ${queue.until}
    limit ${sql.lit(STEP)}`
  const { numAffectedRows } = await sql`
    update webhook_events
    set status = 'canceled', queue = null, next_attempt_at = null, finished_at = ${now}, updated_at = ${now}
    where account_id = ${accountId} and id in (${pending})`.execute(db)
  return Number(numAffectedRows)
}
