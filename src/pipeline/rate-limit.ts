import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Caller, callerId } from '../contract/caller.ts'
import { type Database, StorageError } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'

/** A bucket of permits: `perMinute` requests in the long run, `burst` of them at once. */
export interface RatePolicy {
  name: string
  perMinute: number
  burst: number
}

export interface Spent {
  allowed: boolean
  /** `RateLimit-Policy`, `RateLimit` and, when refused, `Retry-After` (IETF draft-ietf-httpapi-ratelimit-headers). */
  headers: Record<string, string>
}

/** Where the buckets are: in this process, or shared by replicas. Takes one permit and gives what is left, below 0 when there was none. */
export type TakePermit = (caller: Caller, policy: RatePolicy) => number | Promise<number>

const MAX_BUCKETS = 100_000

/** Spends one request of a caller's budget. What is spent is never given back. */
export async function spend(take: TakePermit, caller: Caller, policy: RatePolicy): Promise<Spent> {
  const left = await take(caller, policy)
  const remaining = Math.max(0, Math.floor(left))
  const untilNext = Math.max(1, Math.ceil((left < 0 ? -left : 1 - (left % 1)) / (policy.perMinute / 60)))
  const headers: Record<string, string> = {
    'RateLimit-Policy': `"${policy.name}";q=${policy.perMinute};w=60`,
    RateLimit: `"${policy.name}";r=${remaining};t=${untilNext}`,
  }
  if (left < 0) headers['Retry-After'] = String(untilNext)
  return { allowed: left >= 0, headers }
}

type Bucket = Pick<RatePolicy, 'perMinute' | 'burst'>

/** Buckets of this process, for one process on the embedded database. */
export function bucketsInMemory(now: () => number = Date.now): TakePermit {
  const take = permitsInMemory(now)
  return (caller, policy) => take(`${policy.name} ${callerId(caller)}`, policy)
}

/** As `bucketsInMemory`, for whatever a key names. */
function permitsInMemory(now: () => number = Date.now): (key: string, policy: Bucket) => number {
  const buckets = new Map<string, { permits: number; refilledAt: number }>()
  return (key, { perMinute, burst }) => {
    const at = now()
    let bucket = buckets.get(key)
    if (!bucket) {
      if (buckets.size >= MAX_BUCKETS) buckets.clear()
      bucket = { permits: burst, refilledAt: at }
      buckets.set(key, bucket)
    }
    const permits = Math.min(burst, bucket.permits + ((at - bucket.refilledAt) * perMinute) / 60_000)
    bucket.permits = permits >= 1 ? permits - 1 : permits
    bucket.refilledAt = at
    return permits - 1
  }
}

/** Takes a permit of whatever `who` names: 0 when there was one, and otherwise the whole seconds until the next. */
export type TakeTurn = (who: string, policy: RatePolicy) => Promise<number>

/** Buckets of this process, for clients that have no token. */
export function turnsInMemory(now: () => number = Date.now): TakeTurn {
  const take = permitsInMemory(now)
  return async (who, policy) => secondsUntilNext(take(`${policy.name} ${who}`, policy), policy)
}

/** As `bucketsInDatabase`, for clients that have no token. */
export function turnsInDatabase(database: Database<Tables>, now: () => number = Date.now): TakeTurn {
  const take = permitsInDatabase(database, now)
  return async (who, policy) => {
    const client_key = createHash('sha256').update(`${policy.name} ${who}`).digest('base64url')
    return secondsUntilNext(await take({ table: 'client_buckets', key: { client_key } }, policy), policy)
  }
}

function secondsUntilNext(left: number, { perMinute }: Bucket): number {
  return left >= 0 ? 0 : Math.max(1, Math.ceil((-left * 60) / perMinute))
}

/**
 * Buckets in the database, for replicas on PostgreSQL: one upsert a request, outside every transaction. While the storage takes
 * no writes, each replica counts by itself, so that reads still work.
 */
export function bucketsInDatabase(database: Database<Tables>, now: () => number = Date.now): TakePermit {
  const take = permitsInDatabase(database, now)
  return (caller, policy) => take(bucketOf(caller, policy), policy)
}

interface StoredBucket {
  table: 'rate_buckets' | 'client_buckets'
  key: Record<string, string>
}

function bucketOf(caller: Caller, { name }: RatePolicy): StoredBucket {
  const key = { account_id: caller.accountId, caller_id: callerId(caller), bucket: name }
  return { table: 'rate_buckets', key }
}

function permitsInDatabase(
  database: Database<Tables>,
  now: () => number,
): (bucket: StoredBucket, policy: Bucket) => Promise<number> {
  const meanwhile = permitsInMemory(now)
  return (bucket, policy) =>
    takeInDatabase(database, bucket, policy, now()).catch((error: unknown) => {
      if (error instanceof StorageError) return meanwhile(Object.values(bucket.key).join(' '), policy)
      throw error
    })
}

async function takeInDatabase(
  database: Database<Tables>,
  { table, key }: StoredBucket,
  { perMinute, burst }: Bucket,
  at: number,
): Promise<number> {
  const bucket = sql.table(table)
  const columns = sql.join(Object.keys(key).map((column) => sql.ref(column)))
  const refilled = sql`least(${burst}, ${bucket}.permits + (greatest(${at} - ${bucket}.refilled_at, 0)) * ${perMinute / 60_000}::double precision)`
  const { rows } = await sql<{ permits: number }>`
    insert into ${bucket} (${columns}, permits, refilled_at)
    values (${sql.join(Object.values(key))}, ${burst - 1}, ${at})
    on conflict (${columns}) do update
    set permits = ${refilled} - 1, refilled_at = greatest(${at}, ${bucket}.refilled_at)
    where ${refilled} >= 1
    returning permits`.execute(database.read)
  return rows[0]?.permits ?? -1
}
