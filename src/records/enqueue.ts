import type { Moments } from '../clock/moments.ts'
import type { Caller } from '../contract/declarations/caller.ts'
import { newId } from '../contract/values/ids.ts'
import { insertOne, sendOnce } from '../database/compile-once.ts'
import type { JobRow } from '../database/system-tables.ts'
import type { Db } from '../resources/tables.ts'
import type { EnqueueOptions } from './context.ts'
import { deleteRowsOf } from './rows-of.ts'

/** The maximum length of a payload in characters of JSON. Larger data must be stored in rows. */
const MAX_PAYLOAD = 100_000

interface EnqueueContext extends Moments {
  db: Db
  accountId: string
  /** The caller whose task run the job belongs to, and against whose tokens' daily caps its uses count. */
  caller?: Caller
}

export async function insertJob(
  { db, accountId, caller, now, realNow, test }: EnqueueContext,
  { name, lane }: Pick<JobRow, 'name' | 'lane'>,
  payload: unknown,
  { inRealTime = false, runAt = inRealTime ? realNow : now, origin = caller?.origin }: EnqueueOptions,
): Promise<string> {
  const text = JSON.stringify(payload)
  if (text.length > MAX_PAYLOAD) throw new Error(`The payload of a job ${name} has ${text.length} characters`)
  const id = newId('job')
  const cause = { ...origin, ...(caller?.capped && { capped: caller.capped }) }
  const later = test && !inRealTime ? 'waiting_for_clock' : 'waiting'
  await insertOne(db, 'jobs', {
    account_id: accountId,
    id,
    name,
    lane,
    payload: text,
    state: runAt <= (inRealTime ? realNow : now) ? 'due' : later,
    attempts: 0,
    run_at: runAt,
    leased_until: null,
    last_error: null,
    created_at: realNow,
    finished_at: null,
    origin: Object.keys(cause).length > 0 ? JSON.stringify(cause) : null,
  })
  return id
}

const NOT_BEGUN = ['waiting', 'waiting_for_clock', 'due'] as const

/** Deletes a job that has not started, or that is a single transaction (`dueJob`), even while it runs. */
export function cancelJob({ db, accountId }: Pick<EnqueueContext, 'db' | 'accountId'>, jobId: string): Promise<void> {
  return deleteJob(db, accountId, jobId)
}

const deleteJob = sendOnce((db: EnqueueContext['db'], accountId: string, jobId: string) =>
  deleteRowsOf({ db, accountId }, 'jobs')
    .where('id', '=', jobId)
    .where(({ or, and, eb }) =>
      or([eb('state', 'in', NOT_BEGUN), and([eb('lane', '=', 'due'), eb('state', '=', 'working')])]),
    ),
)
