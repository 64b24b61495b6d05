import { createHash } from 'node:crypto'
import type { Context } from './context.ts'

/** What was left of a budget, and when, in milliseconds. */
export interface Permits {
  permits: number
  refilled_at: number
}

type In = Pick<Context, 'db'>

/** What is kept of a budget that a person has over all accounts; undefined where it is full. */
export function personPermits({ db }: In, name: string): Promise<Permits | undefined> {
  const kept = db.selectFrom('client_buckets').select(['permits', 'refilled_at'])
  return kept.where('client_key', '=', keyOf(name)).executeTakeFirst()
}

/** Keeps it in the open transaction, so that what is rolled back costs nothing. */
export async function keepPersonPermits({ db }: In, name: string, now: Permits): Promise<void> {
  await db
    .insertInto('client_buckets')
    .values({ client_key: keyOf(name), ...now })
    .onConflict((known) => known.column('client_key').doUpdateSet(now))
    .execute()
}

/** Names nobody. */
function keyOf(name: string): string {
  return createHash('sha256').update(`letters ${name}`).digest('base64url')
}
