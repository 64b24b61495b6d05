import type { Kysely } from 'kysely'
import { newId } from '../contract/ids.ts'
import { insertOne } from '../database/compile-once.ts'
import type { Tables } from '../resources/tables.ts'
import type { Enqueueable, EnqueueOptions } from './context.ts'

/** Characters of JSON that a job is given; larger things have rows of their own. */
const MAX_PAYLOAD = 100_000

interface Place {
  db: Kysely<Tables>
  accountId: string
  now: string
}

/** Writes a job into the open transaction and returns its id. */
export async function insertJob<Payload>(
  { db, accountId, now }: Place,
  { name }: Enqueueable<Payload>,
  payload: Payload,
  { runAt = now }: EnqueueOptions,
): Promise<string> {
  const text = JSON.stringify(payload)
  if (text.length > MAX_PAYLOAD) throw new Error(`The payload of a job ${name} has ${text.length} characters`)
  const id = newId('job')
  await insertOne(db, 'jobs', {
    account_id: accountId,
    id,
    name,
    payload: text,
    state: runAt <= now ? 'due' : 'waiting',
    attempts: 0,
    run_at: runAt,
    leased_until: null,
    last_error: null,
    created_at: now,
    finished_at: null,
  })
  return id
}
