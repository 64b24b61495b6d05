import { sql } from 'kysely'
import { currentTimestamp } from '../contract/values/values.ts'
import type { Context } from '../records/context.ts'
import { insertJob } from '../records/enqueue.ts'
import { job } from '../records/job.ts'
import { deleteRowsOf, rowsOf } from '../records/rows-of.ts'

/** Deliveries that one transaction cancels, so that nobody waits long for it. */
const STEP = 500

/** Sorts after the id of every delivery. */
export const EVERY_DELIVERY = 'whev_z'

interface Queue {
  endpoint: string
  /** Later deliveries, of an endpoint that was enabled again, stay. */
  until: string
}

type Place = Pick<Context, 'db' | 'accountId'>

/**
 * Cancels the pending deliveries of an endpoint that was disabled or deleted. It comes after the commit of that: on PostgreSQL
 * a busy deliverer, which does not stop before, would get ahead of a transaction that touches the same rows again and again.
 */
export const cancelDeliveries = job<Queue>('cancel_webhook_events', {
  async work({ transaction, signal }, queue) {
    while (!signal.aborted && (await transaction((context) => cancelSome(context, queue))) === STEP);
    signal.throwIfAborted()
    await transaction((context) => forget(context, queue.endpoint))
  },
})

/** Cancels the pending deliveries of an endpoint at once, and many others by the job. */
export async function cancelPending(place: Place, queue: Queue): Promise<void> {
  const isMore = (await cancelSome(place, queue)) === STEP
  // Deliveries are of the real time, whatever clock the account has.
  const now = currentTimestamp()
  if (isMore) await insertJob({ ...place, now, realNow: now, test: false }, cancelDeliveries, queue, {})
}

async function cancelSome({ db, accountId }: Place, queue: Queue): Promise<number> {
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

/** What deliveries came to goes with the endpoint. */
async function forget(place: Place, endpointId: string): Promise<void> {
  const endpoint = rowsOf(place, 'webhook_endpoints').select('id').where('id', '=', endpointId)
  if (!(await endpoint.executeTakeFirst()))
    await deleteRowsOf(place, 'webhook_queues').where('endpoint_id', '=', endpointId).execute()
}
