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
export function permitsInMemory(now: () => number = Date.now): (key: string, policy: Bucket) => number {
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

/** Takes a permit of whatever a key names: 0 when there was one, and otherwise the whole seconds until the next. */
export function waitsInMemory(): (key: string, policy: Bucket) => number {
  const take = permitsInMemory()
  return (key, policy) => {
    const left = take(key, policy)
    return left >= 0 ? 0 : Math.max(1, Math.ceil((-left * 60) / policy.perMinute))
  }
}

/**
 * Buckets in the database, for replicas on PostgreSQL: one upsert a request, outside every transaction. While the storage takes
 * no writes, each replica counts by itself, so that reads still work.
 */
export function bucketsInDatabase(database: Database<Tables>, now: () => number = Date.now): TakePermit {
  const meanwhile = bucketsInMemory(now)
  return (caller, policy) =>
    takeInDatabase(database, caller, policy, now()).catch((error: unknown) => {
      if (error instanceof StorageError) return meanwhile(caller, policy)
      throw error
    })
}

async function takeInDatabase(
  database: Database<Tables>,
  caller: Caller,
  { name, perMinute, burst }: RatePolicy,
  at: number,
): Promise<number> {
  const refilled = sql`least(${burst}, rate_buckets.permits + (greatest(${at} - rate_buckets.refilled_at, 0)) * ${perMinute / 60_000}::double precision)`
  const { rows } = await sql<{ permits: number }>`
    insert into rate_buckets (account_id, caller_id, bucket, permits, refilled_at)
    values (${caller.accountId}, ${callerId(caller)}, ${name}, ${burst - 1}, ${at})
    on conflict (account_id, caller_id, bucket) do update
    set permits = ${refilled} - 1, refilled_at = greatest(${at}, rate_buckets.refilled_at)
    where ${refilled} >= 1
    returning permits`.execute(database.read)
  return rows[0]?.permits ?? -1
}
