import { sql } from 'kysely'
import { newId } from '../contract/values/ids.ts'
import { cut, timestampOf } from '../contract/values/values.ts'
import { insertOne } from '../database/compile-once.ts'
import type { Db, ShopScope, Tables } from '../resources/tables.ts'
import { cancelPending } from './cancel.ts'
import type { Delivery, Endpoint } from './queue.ts'
import type { AttemptResult } from './sender.ts'

const GONE = 410
/** MCP clients get no retries of an event that is too large for them. */
const TOO_LARGE = 413
/** An endpoint is disabled after it has failed for this long and at least `DISABLED_AFTER_FAILURES` times. */
const DISABLED_AFTER_MS = 5 * 24 * 60 * 60 * 1000
const DISABLED_AFTER_FAILURES = 20
/** The pause before a retry is randomly up to this share longer or shorter, so that failed deliveries are not all retried at once. */
const JITTER = 0.1

export interface EndpointState {
  accountId: string
  endpointId: string
  failureCount: number
  /** The reason why the endpoint was disabled after these attempts; null if it was not. */
  disabled: string | null
}

/** Writes the results of attempts in one transaction, and releases the endpoints whose turns end. */
export async function writeResults(
  database: ShopScope,
  attempted: CompletedAttempt[],
  { gapsMs, leases, released }: { gapsMs: readonly number[]; leases: Leases; released: string[] },
): Promise<EndpointState[]> {
  return database.transaction(
    async ({ db }) => {
      for (const one of attempted) await writeResult(db, one, gapsMs)
      for (const one of attempted) await insertOne(db, 'webhook_attempts', { ...rowOf(one) })
      const states: EndpointState[] = []
      for (const [, some] of Map.groupBy(attempted, ({ delivery }) => delivery.endpointId))
        states.push(await writeState(db, some))
      await leases.release(db, released)
      return states
    },
    { lowPriority: true },
  )
}

/**
 * Writes the result of an attempt, unless the delivery was canceled meanwhile or another process took over the lease and has
 * already written a result.
 */
async function writeResult(
  db: Db,
  { delivery, result, endedMs }: CompletedAttempt,
  gapsMs: readonly number[],
): Promise<void> {
  const made = delivery.attempts + 1
  await db
    .updateTable('webhook_events')
    .set({
      ...stateAfter(delivery, { result, endedMs }, gapsMs),
      attempts: made,
      response_status: result.status,
      response_body: result.body,
      error_message: result.error,
      updated_at: timestampOf(new Date(endedMs)),
    })
    .where('account_id', '=', delivery.accountId)
    .where('id', '=', delivery.id)
    .where('status', '=', 'pending')
    .where('attempts', '=', delivery.attempts)
    .execute()
}

function stateAfter(
  { attempts, subscription }: SentDelivery,
  { result, endedMs }: Omit<CompletedAttempt, 'delivery'>,
  gapsMs: readonly number[],
) {
  const now = timestampOf(new Date(endedMs))
  const over = { next_attempt_at: null, queue: null, finished_at: now }
  if (result.delivered) return { status: 'delivered' as const, ...over, delivered_at: now }
  const waitMs = result.retryAfterMs
  const isFinal = result.status === GONE || (subscription !== null && result.status === TOO_LARGE)
  const nextMs = isFinal ? null : nextAttemptMs(gapsMs, { made: attempts + 1, nowMs: endedMs, waitMs })
  if (nextMs === null) return { status: 'failed' as const, ...over }
  return {
    queue: nextMs <= endedMs ? 'due' : 'waiting',
    due_ms: nextMs,
    next_attempt_at: timestampOf(new Date(nextMs)),
  }
}

/**
 * Returns the time of the next attempt in Unix milliseconds; null after the last attempt. `made` is the number of attempts so
 * far, and `waitMs` is the wait that the endpoint has requested.
 */
function nextAttemptMs(
  gapsMs: readonly number[],
  { made, nowMs, waitMs }: { made: number; nowMs: number; waitMs: number },
): number | null {
  const gapMs = gapsMs[made - 1]
  if (gapMs === undefined) return null
  const jittered = gapMs * (1 + JITTER * (2 * Math.random() - 1))
  return nowMs + Math.round(Math.max(jittered, waitMs))
}

/** Counts an endpoint's failures since its last success. Disables an endpoint that returned 410 or has failed for too long. */
async function writeState(db: Db, attempted: CompletedAttempt[]): Promise<EndpointState> {
  const { accountId, endpointId } = attempted[0]!.delivery
  const lastSuccess = attempted.findLastIndex(({ result }) => result.delivered)
  const failed = attempted.slice(lastSuccess + 1)
  const since = failed.length === 0 ? null : timestampOf(new Date(failed[0]!.endedMs))
  const success = lastSuccess < 0 ? null : timestampOf(new Date(attempted[lastSuccess]!.endedMs))
  const change =
    success === null
      ? sql`failure_count = failure_count + ${failed.length}, failing_since = coalesce(failing_since, ${since})`
      : sql`failure_count = ${failed.length}, failing_since = ${since}, last_delivery_at = ${success}`
  const { rows } = await sql<{ failure_count: number; failing_since: string | null }>`
    update webhook_queues set ${change} where account_id = ${accountId} and endpoint_id = ${endpointId}
    returning failure_count, failing_since`.execute(db)
  const { failure_count: failureCount, failing_since: failingSince } = rows[0] ?? NO_FAILURES
  const gone = attempted.some(({ result }) => result.status === GONE)
  const reason = gone ? 'It answered 410.' : hasFailedTooLong(failureCount, failingSince) ? FAILED_TOO_LONG : null
  const disabled = reason !== null && (await disable(db, attempted[0]!.delivery)) ? reason : null
  return { accountId, endpointId, failureCount, disabled }
}

const NO_FAILURES = { failure_count: 0, failing_since: null }

const FAILED_TOO_LONG = 'It has failed for 5 days without a success.'

function hasFailedTooLong(failureCount: number, failingSince: string | null): boolean {
  if (failureCount < DISABLED_AFTER_FAILURES || failingSince === null) return false
  return Date.parse(failingSince) <= Date.now() - DISABLED_AFTER_MS
}

async function disable(db: Db, { accountId, endpointId }: SentDelivery): Promise<boolean> {
  const until = newId('whev')
  const disabled = { status: 'disabled' as const, starts_after: until, updated_at: timestampOf(new Date()) }
  const active = db.updateTable('webhook_endpoints').set(disabled)
  const { numUpdatedRows } = await active
    .where('account_id', '=', accountId)
    .where('id', '=', endpointId)
    .where('status', '=', 'active')
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await cancelPending({ db, accountId }, { endpoint: endpointId, until })
  return true
}

/** Leases of the webhook endpoints that this process delivers to. They ensure that two replicas never make the same attempt. */
export interface Leases {
  /** Whether other processes take leases, too, so that releasing an endpoint requires a write. */
  readonly shared: boolean
  /** Leases those endpoints that no other process has leased. Returns the end of each lease on the clock of `performance.now()`. */
  take(endpoints: Endpoint[]): Promise<Map<string, number>>
  /** Renews the leases that this process still has. Returns their new ends. */
  renew(endpointIds: string[]): Promise<Map<string, number>>
  /** Releases endpoints in the transaction that writes their last results. */
  release(db: Db, endpointIds: string[]): Promise<void>
}

/** Leases for a single process, to which all endpoints belong. */
export function localLeases(): Leases {
  const forEver = (ids: string[]) => new Map(ids.map((id) => [id, Number.POSITIVE_INFINITY]))
  return {
    shared: false,
    take: async (endpoints) => forEver(endpoints.map(({ id }) => id)),
    renew: async (ids) => forEver(ids),
    async release() {},
  }
}

/** Leases for replicas on PostgreSQL. They use the clock of the database, because the clocks of replicas may differ. */
export function sharedLeases(database: ShopScope, leaseMs: number): Leases {
  const holder = newId('holder')
  const nowMs = sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
  const until = sql`${nowMs} + cast(${leaseMs} as bigint)`
  const lease = async (condition: ReturnType<typeof sql>) => {
    const began = performance.now()
    const rows = await database.transaction(async ({ db }) => {
      const leased = sql<{ endpoint_id: string }>`
        update webhook_queues set holder = ${holder}, leased_until = ${until} where ${condition} returning endpoint_id`
      return (await leased.execute(db)).rows
    })
    return new Map(rows.map(({ endpoint_id }) => [endpoint_id, began + leaseMs]))
  }
  return {
    shared: true,
    async take(endpoints) {
      if (endpoints.length === 0) return new Map()
      const own = sql.join(endpoints.map(({ accountId, id }) => sql`(${accountId}, ${id})`))
      return lease(sql`(account_id, endpoint_id) in (${own}) and leased_until < ${nowMs}`)
    },
    renew: async (ids) =>
      ids.length === 0 ? new Map() : lease(sql`endpoint_id in (${sql.join(ids)}) and holder = ${holder}`),
    async release(db, ids) {
      if (ids.length === 0) return
      await sql`
        update webhook_queues set holder = null, leased_until = 0
        where endpoint_id in (${sql.join(ids)}) and holder = ${holder}`.execute(db)
    },
  }
}

/** The body is left out because it may be large. */
type SentDelivery = Omit<Delivery, 'payload'>

export interface CompletedAttempt {
  delivery: SentDelivery
  result: AttemptResult
  /** In Unix milliseconds. */
  endedMs: number
}

/** The number of characters of each response that are stored with the attempt. The delivery stores more of the last response. */
const KEPT_CHARACTERS = 500

function rowOf({ delivery, result, endedMs }: CompletedAttempt): Tables['webhook_attempts'] {
  const { status, error, body, durationMs } = result
  return {
    account_id: delivery.accountId,
    id: newId('whatt'),
    webhook_event: delivery.id,
    number: delivery.attempts + 1,
    response_status: status,
    error_message: error,
    duration_ms: durationMs,
    created_at: timestampOf(new Date(endedMs - durationMs)),
    response_body: body === null ? null : cut(body, KEPT_CHARACTERS),
  }
}
