import { createHash } from 'node:crypto'
import { BoundedMap } from '../bounded-map.ts'
import { type Caller, callerId } from '../contract/declarations/caller.ts'
import { type Database, StorageError } from '../database/database.ts'
import { only } from '../errors.ts'
import type { Tables } from '../resources/tables.ts'
import { ROUNDING, type SharedBucket, SharedBuckets } from './shared-buckets.ts'

/** A rate limit, enforced by a token bucket: `perMinute` requests on average, and `burst` requests at once. */
export interface RatePolicy {
  name: string
  perMinute: number
  burst: number
}

export interface Spent {
  allowed: boolean
  /** The headers `RateLimit-Policy`, `RateLimit` and, when refused, `Retry-After` (IETF draft-ietf-httpapi-ratelimit-headers). */
  headers: Record<string, string>
  /** The seconds until the rate limit has reset completely, rounded up. */
  secondsUntilFull: number
}

/**
 * Takes `cost` permits from a token bucket, which is in this process or shared by replicas. A permit allows one request. Returns the
 * remaining permits. If there are too few, takes none and returns a negative number. A negative cost puts unused permits back.
 */
export type TakePermit = (caller: Caller, policy: RatePolicy, cost: number) => number | Promise<number>

const MAX_BUCKETS = 100_000

export async function spend(take: TakePermit, caller: Caller, policy: RatePolicy, cost = 1): Promise<Spent> {
  const left = await take(caller, policy, cost)
  const allowed = left >= 0
  const permits = allowed ? left : left + cost
  const secondsUntil = (wanted: number) => Math.max(1, Math.ceil(((wanted - permits) * 60) / policy.perMinute))
  // If permits are left, this is the time until the next permit; otherwise the time until there are enough for `cost`.
  const untilNext = secondsUntil(allowed ? Math.floor(permits + ROUNDING) + 1 : cost)
  const headers: Record<string, string> = {
    'RateLimit-Policy': `"${policy.name}";q=${policy.perMinute};w=60`,
    RateLimit: `"${policy.name}";r=${allowed ? Math.floor(permits + ROUNDING) : 0};t=${untilNext}`,
  }
  if (!allowed) headers['Retry-After'] = String(untilNext)
  return { allowed, headers, secondsUntilFull: secondsUntil(policy.burst) }
}

type Bucket = Pick<RatePolicy, 'perMinute' | 'burst'>

/** Keeps the buckets of callers in this process, for a single process on the embedded database. */
export function bucketsInMemory(now: () => number = Date.now): TakePermit {
  const take = permitsInMemory(now)
  return (caller, policy, cost) => take(`${policy.name} ${callerId(caller)}`, policy, cost)
}

function permitsInMemory(now: () => number = Date.now): (key: string, policy: Bucket, cost: number) => number {
  const buckets = new BoundedMap<string, { permits: number; refilledAt: number }>(MAX_BUCKETS)
  return (key, { perMinute, burst }, cost) => {
    const at = now()
    const bucket = buckets.get(key) ?? { permits: burst, refilledAt: at }
    const permits = Math.min(burst, bucket.permits + ((at - bucket.refilledAt) * perMinute) / 60_000)
    const enough = permits >= cost - ROUNDING
    const left = enough ? Math.min(burst, Math.max(0, permits - cost)) : permits
    // Moves the bucket to the end of the LRU map, which drops the least recently used one when it is full.
    buckets.set(key, { permits: left, refilledAt: at })
    return enough ? left : permits - cost
  }
}

/** Takes one permit for `who`. Returns 0 if there was one, otherwise the whole seconds until the next. */
export type TakeTurn = (who: string, policy: RatePolicy) => Promise<number>

export function turnsInMemory(now: () => number = Date.now): TakeTurn {
  const take = permitsInMemory(now)
  return async (who, policy) => secondsUntilNext(take(`${policy.name} ${who}`, policy, 1), policy)
}

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

/** Keeps buckets in PostgreSQL for all replicas. While it accepts no writes, each replica has its own buckets, so that reads still work. */
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
    buckets
      .take(bucket, policy, cost)
      .catch(only(StorageError, () => meanwhile(Object.values(bucket.key).join(' '), policy, cost)))
}
