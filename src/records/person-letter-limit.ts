import { createHash } from 'node:crypto'
import type { Context } from './context.ts'

/** The stored state of a rate limit: the permits that were left at `refilled_at`, which is in milliseconds since 1970. */
export interface Permits {
  permits: number
  refilled_at: number
}

type InDatabase = Pick<Context, 'db'>

/** Returns the state of a person's rate limit, which counts across all accounts; undefined if the person has used none of it. */
export function personPermits({ db }: InDatabase, name: string): Promise<Permits | undefined> {
  const kept = db.selectFrom('client_buckets').select(['permits', 'refilled_at'])
  return kept.where('client_key', '=', keyOf(name)).executeTakeFirst()
}

/** Stores the state of a rate limit in the open transaction, so that a rollback uses up nothing. */
export async function keepPersonPermits({ db }: InDatabase, name: string, now: Permits): Promise<void> {
  await db
    .insertInto('client_buckets')
    .values({ client_key: keyOf(name), ...now })
    .onConflict((known) => known.column('client_key').doUpdateSet(now))
    .execute()
}

/** Hashes the person's name, so that the stored key identifies nobody. */
function keyOf(name: string): string {
  return createHash('sha256').update(`letters ${name}`).digest('base64url')
}
