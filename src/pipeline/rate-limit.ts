import { createHash } from 'node:crypto'
import { type Caller, callerId } from '../contract/declarations/caller.ts'
import { type Database, StorageError } from '../database/database.ts'
import { LruMap } from '../lru-map.ts'
import type { Tables } from '../resources/tables.ts'
import { ROUNDING, type SharedBucket, SharedBuckets } from './shared-buckets.ts'

/** A token bucket: `perMinute` requests on average, `burst` at once. */
export interface RatePolicy {
  name: string
  perMinute: number
  burst: number
}

export interface Spent {
  allowed: boolean
  /** `RateLimit-Policy`, `RateLimit` and, when refused, `Retry-After` (IETF draft-ietf-httpapi-ratelimit-headers). */
  headers: Record<string, string>
  /** Seconds until the bucket is full, rounded up. */
  secondsUntilFull: number
}

/**
 * Takes `cost` permits from a bucket, which is in this process or shared by replicas. Returns the permits left, or a negative number if
 * there were too few, and then takes none. A negative cost returns unused permits.
 */
export type TakePermit = (caller: Caller, policy: RatePolicy, cost: number) => number | Promise<number>

const MAX_BUCKETS = 100_000

/** Spends from a caller's budget: one request, or the `cost` of something else. */
export async function spend(take: TakePermit, caller: Caller, policy: RatePolicy, cost = 1): Promise<Spent> {
  const left = await take(caller, policy, cost)
  const allowed = left >= 0
  const permits = allowed ? left : left + cost
  const secondsUntil = (wanted: number) => Math.max(1, Math.ceil(((wanted - permits) * 60) / policy.perMinute))
  // If permits are left, the time until the next one; otherwise until there are enough for `cost`.
  const untilNext = secondsUntil(allowed ? Math.floor(permits + ROUNDING) + 1 : cost)
  const headers: Record<string, string> = {
    'RateLimit-Policy': `"${policy.name}";q=${policy.perMinute};w=60`,
    RateLimit: `"${policy.name}";r=${allowed ? Math.floor(permits + ROUNDING) : 0};t=${untilNext}`,
  }
  if (!allowed) headers['Retry-After'] = String(untilNext)
  return { allowed, headers, secondsUntilFull: secondsUntil(policy.burst) }
}

type Bucket = Pick<RatePolicy, 'perMinute' | 'burst'>

/** Keeps buckets in this process, for a single process on the embedded database. */
export function bucketsInMemory(now: () => number = Date.now): TakePermit {
  const take = permitsInMemory(now)
  return (caller, policy, cost) => take(`${policy.name} ${callerId(caller)}`, policy, cost)
}

/** Like `bucketsInMemory`, with any string as the key. */
function permitsInMemory(now: () => number = Date.now): (key: string, policy: Bucket, cost: number) => number {
  const buckets = new LruMap<string, { permits: number; refilledAt: number }>(MAX_BUCKETS)
  return (key, { perMinute, burst }, cost) => {
    const at = now()
    const bucket = buckets.get(key) ?? { permits: burst, refilledAt: at }
    const permits = Math.min(burst, bucket.permits + ((at - bucket.refilledAt) * perMinute) / 60_000)
    const enough = permits >= cost - ROUNDING
    const left = enough ? Math.min(burst, Math.max(0, permits - cost)) : permits
    // The LRU map then drops the least recently used bucket, never one that is in use now.
    buckets.set(key, { permits: left, refilledAt: at })
    return enough ? left : permits - cost
  }
}

/** Takes a permit for `who`. Returns 0 if there was one, and otherwise the whole seconds until the next. */
export type TakeTurn = (who: string, policy: RatePolicy) => Promise<number>

/** Keeps buckets in this process, for clients without a token. */
export function turnsInMemory(now: () => number = Date.now): TakeTurn {
  const take = permitsInMemory(now)
  return async (who, policy) => secondsUntilNext(take(`${policy.name} ${who}`, policy, 1), policy)
}

/** Like `bucketsInDatabase`, for clients without a token. */
export function turnsInDatabase(database: Database<Tables>, now: () => number = Date.now): TakeTurn {
  const take = permitsInDatabase(database, now)
  return async (who, policy) => {
    const client_key = createHash('sha256').update(`${policy.name} ${who}`).digest('base64url')
    return secondsUntilNext(await take({ table: 'client_buckets', key: { client_key } }, policy, 1), policy)
  }
}

function secondsUntilNext(left: number, { perMinute }: Bucket): number {
  return left >= 0 ? 0 : Math.max(1, Math.ceil((-left * 60) / perMinute))
}

/**
 * Keeps buckets in the database, for replicas on PostgreSQL. While the database accepts no writes, each replica counts by itself, so that
 * reads still work.
 */
export function bucketsInDatabase(database: Database<Tables>, now: () => number = Date.now): TakePermit {
  const take = permitsInDatabase(database, now)
  return (caller, policy, cost) => take(bucketOf(caller, policy), policy, cost)
}

function bucketOf(caller: Caller, { name }: RatePolicy): SharedBucket {
  const key = { account_id: caller.accountId, caller_id: callerId(caller), bucket: name }
  return { table: 'rate_buckets', key }
}

function permitsInDatabase(
  database: Database<Tables>,
  now: () => number,
): (bucket: SharedBucket, policy: Bucket, cost: number) => Promise<number> {
  const buckets = new SharedBuckets(database, now)
  const meanwhile = permitsInMemory(now)
  return (bucket, policy, cost) =>
    buckets.take(bucket, policy, cost).catch((error: unknown) => {
      if (error instanceof StorageError) return meanwhile(Object.values(bucket.key).join(' '), policy, cost)
      throw error
    })
}
