import { sql } from 'kysely'
import { currentTimestamp } from '../contract/values/values.ts'
import type { InAccount } from '../records/context.ts'
import { insertJob } from '../records/enqueue.ts'
import { job } from '../records/job.ts'
import { deleteRowsOf, rowsOf } from '../records/rows-of.ts'

/** Keeps the transaction short. */
const STEP = 500

/** A text that sorts after the ids of all deliveries. */
export const EVERY_DELIVERY = 'whev_z'

interface EndpointDeliveries {
  endpoint: string
  /** The last delivery id to cancel. Later deliveries are kept, because they were created after the endpoint was enabled again. */
  until: string
}

/**
 * Cancels an endpoint's pending deliveries, after the commit that disabled or deleted it. Within that transaction, the updates of the
 * deliverer would cause repeated conflicts on PostgreSQL.
 */
export const cancelDeliveries = job<EndpointDeliveries>('cancel_webhook_events', {
  async work({ transaction, signal }, queue) {
    while (!signal.aborted && (await transaction((context) => cancelSome(context, queue))) === STEP);
    signal.throwIfAborted()
    await transaction((context) => deleteQueueState(context, queue.endpoint))
  },
})

export async function cancelPending(place: InAccount, queue: EndpointDeliveries): Promise<void> {
  const isMore = (await cancelSome(place, queue)) === STEP
  // Webhook deliveries use the system time, even in accounts with a test clock.
  const now = currentTimestamp()
  if (isMore) await insertJob({ ...place, now, realNow: now, test: false }, cancelDeliveries, queue, {})
}

async function cancelSome({ db, accountId }: InAccount, queue: EndpointDeliveries): Promise<number> {
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

async function deleteQueueState(place: InAccount, endpointId: string): Promise<void> {
  const endpoint = rowsOf(place, 'webhook_endpoints').select('id').where('id', '=', endpointId)
  if (!(await endpoint.executeTakeFirst()))
    await deleteRowsOf(place, 'webhook_queues').where('endpoint_id', '=', endpointId).execute()
}
