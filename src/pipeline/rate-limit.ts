import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Caller } from '../records/context.ts'
import type { Tables } from '../records/tables.ts'

declare module '../records/tables.ts' {
  interface Tables {
    rate_buckets: { account_id: string; token_id: string; bucket: string; tokens: number; refilled_at: number }
  }
}

/** A token bucket: `perMinute` requests in the long run, `burst` of them at once. */
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

/** Where the buckets are: in this process, or shared by replicas. Takes one token; tells what is left, below 0 when there was none. */
export type TakeToken = (caller: Pick<Caller, 'accountId' | 'tokenId'>, policy: RatePolicy) => number | Promise<number>

const MAX_BUCKETS = 100_000

/** Spends one request of a caller's budget. What is spent is never given back. */
export async function spend(
  take: TakeToken,
  caller: Pick<Caller, 'accountId' | 'tokenId'>,
  policy: RatePolicy,
): Promise<Spent> {
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

/** Buckets of this process, for one process on the embedded database. */
export function bucketsInMemory(now: () => number = Date.now): TakeToken {
  const buckets = new Map<string, { tokens: number; refilledAt: number }>()
  return ({ tokenId }, { name, perMinute, burst }) => {
    const key = `${name} ${tokenId}`
    const at = now()
    let bucket = buckets.get(key)
    if (!bucket) {
      if (buckets.size >= MAX_BUCKETS) buckets.clear()
      bucket = { tokens: burst, refilledAt: at }
      buckets.set(key, bucket)
    }
    const tokens = Math.min(burst, bucket.tokens + ((at - bucket.refilledAt) * perMinute) / 60_000)
    bucket.tokens = tokens >= 1 ? tokens - 1 : tokens
    bucket.refilledAt = at
    return tokens - 1
  }
}

/** Buckets in the database, for replicas on PostgreSQL: one upsert a request, outside every transaction. */
export function bucketsInDatabase(database: Database<Tables>, now: () => number = Date.now): TakeToken {
  return async ({ accountId, tokenId }, { name, perMinute, burst }) => {
    const at = now()
    const refilled = sql`least(${burst}, rate_buckets.tokens + (greatest(${at} - rate_buckets.refilled_at, 0)) * ${perMinute / 60_000}::double precision)`
    const { rows } = await sql<{ tokens: number }>`
      insert into rate_buckets (account_id, token_id, bucket, tokens, refilled_at)
      values (${accountId}, ${tokenId}, ${name}, ${burst - 1}, ${at})
      on conflict (account_id, token_id, bucket) do update
      set tokens = ${refilled} - 1, refilled_at = greatest(${at}, rate_buckets.refilled_at)
      where ${refilled} >= 1
      returning tokens`.execute(database.read)
    return rows[0]?.tokens ?? -1
  }
}
