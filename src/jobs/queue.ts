import { timestampOf } from '../contract/values.ts'
import type { Database, Scope, Unit } from '../database/database.ts'
import type { JobRow } from '../database/system-tables.ts'
import type { Tables } from '../resources/tables.ts'
import { makeDue, nextJobs, type Turns } from './turns.ts'

interface Claim extends Turns {
  leaseMs(name: string): number
}

/** Longest pause between two attempts. */
const LONGEST_PAUSE_MS = 60 * 60 * 1000
const MAX_ERROR = 1_000

interface Claimed {
  jobs: JobRow[]
  lastServed: string
  /** There may be others that have become due. */
  more: boolean
}

/** Takes due jobs, account by account in turn, and leases them; also those whose worker was lost. */
export async function claimDueJobs(database: Database<Tables>, claim: Claim): Promise<Claimed> {
  const more = await makeDue(database, timestampOf(new Date()))
  const { jobs, lastServed } = await nextJobs(database, claim)
  if (jobs.length === 0) return { jobs, lastServed, more }
  const leased = await database.transaction(({ db }) =>
    Promise.all(jobs.map((job) => lease(db, job, claim.leaseMs(job.name)))),
  )
  return { jobs: leased.filter((job) => job !== null), lastServed, more }
}

/** Null when another worker has taken the job meanwhile. */
async function lease(db: Unit<Tables>['db'], job: JobRow, leaseMs: number): Promise<JobRow | null> {
  const leased_until = timestampOf(new Date(Date.now() + leaseMs))
  const taken = { leased_until, state: 'working' as const, attempts: job.attempts + 1 }
  const same = db.updateTable('jobs').set(taken).where('account_id', '=', job.account_id).where('id', '=', job.id)
  const { numUpdatedRows } = await same
    .where('state', '=', 'due')
    .where('attempts', '=', job.attempts)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n ? { ...job, ...taken } : null
}

export async function markDone(database: Scope<Tables>, job: JobRow, now: string): Promise<void> {
  await settle(database, job, { state: 'done', leased_until: null, last_error: null, finished_at: now })
}

/** Another attempt after a pause that doubles, or the end after the last one. */
export async function giveBack(database: Scope<Tables>, job: JobRow, error: unknown, attempts: number): Promise<void> {
  const message = (error instanceof Error ? error.message : String(error)).replaceAll('\0', '').slice(0, MAX_ERROR)
  const pauseMs = Math.min(1000 * 2 ** job.attempts, LONGEST_PAUSE_MS)
  const failed = job.attempts >= attempts
  await settle(database, job, {
    state: failed ? 'failed' : 'waiting',
    run_at: timestampOf(new Date(Date.now() + pauseMs)),
    leased_until: null,
    last_error: message,
    finished_at: failed ? timestampOf(new Date()) : null,
  })
}

/** An attempt whose lease another worker took over has nothing more to say. */
async function settle(database: Scope<Tables>, job: JobRow, change: Partial<JobRow>): Promise<void> {
  await database.transaction(({ db }) =>
    db
      .updateTable('jobs')
      .set(change)
      .where('account_id', '=', job.account_id)
      .where('id', '=', job.id)
      .where('attempts', '=', job.attempts)
      .execute(),
  )
}
