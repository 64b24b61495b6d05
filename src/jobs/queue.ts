import { sql } from 'kysely'
import { timestampOf } from '../contract/values/values.ts'
import { compileOnce } from '../database/compile-once.ts'
import type { Database, Scope, Transaction } from '../database/database.ts'
import type { JobRow } from '../database/system-tables.ts'
import type { Tables } from '../resources/tables.ts'
import { type LaneState, nextJobs } from './lane-state.ts'

/** Marks jobs as done. Jobs that end while a transaction is being written share the next transaction. */
export class DoneJobs {
  readonly #database: Scope<Tables>
  #next: JobRow[] = []
  #last: Promise<unknown> = Promise.resolve()
  #waiting: Promise<void> | undefined

  constructor(database: Scope<Tables>) {
    this.#database = database
  }

  mark(job: JobRow): Promise<void> {
    this.#next.push(job)
    this.#waiting ??= this.#write()
    return this.#waiting
  }

  async #write(): Promise<void> {
    await this.#last.catch(() => {})
    const jobs = this.#next.splice(0)
    this.#waiting = undefined
    const written = this.#database.transaction(({ db }) => markDone(db, jobs), { readCommitted: true })
    this.#last = written
    await written
  }
}

interface Claim extends LaneState {
  leaseMs(name: string): number
}

type Db = Transaction<Tables>['db']

/** Claims due jobs of a lane, alternating between accounts, and leases them to this worker. */
export async function claimDueJobs(
  database: Database<Tables>,
  claim: Claim,
): Promise<{ jobs: JobRow[]; lastServed: string }> {
  const { jobs, lastServed } = await nextJobs(database, claim)
  if (jobs.length === 0) return { jobs, lastServed }
  const leaseMs = Math.max(...jobs.map(({ name }) => claim.leaseMs(name)))
  const leased = await database.transaction(({ db }) => lease(db, jobs, leaseMs), { readCommitted: true })
  return { jobs: jobs.flatMap((job) => asLeased(job, leased)), lastServed }
}

/** Returns the attempt number of each job that no other worker has claimed meanwhile. */
async function lease(db: Db, jobs: JobRow[], leaseMs: number): Promise<Map<string, number>> {
  const keys = sql.join(jobs.map(({ account_id, id }) => sql`(${account_id}, ${id})`))
  const leasedUntil = timestampOf(new Date(Date.now() + leaseMs))
  // The expression keeps the engine from using the index on the state, so that it finds the jobs by their keys.
  const { rows } = await sql<Pick<JobRow, 'id' | 'attempts'>>`
    update jobs set state = 'working', leased_until = ${leasedUntil}, attempts = attempts + 1
    where (account_id, id) in (values ${keys}) and state || '' = 'due' returning id, attempts`.execute(db)
  return new Map(rows.map(({ id, attempts }) => [id, attempts]))
}

/** Leases a job that waits for its account's clock. Returns null if the job was canceled meanwhile. */
export async function leaseWaiting(db: Db, job: JobRow, leaseMs: number): Promise<JobRow | null> {
  const leased = {
    state: 'working' as const,
    attempts: attemptOf(job),
    leased_until: timestampOf(new Date(Date.now() + leaseMs)),
  }
  const { numUpdatedRows } = await changeSame(db, [job], leased).executeTakeFirstOrThrow()
  return numUpdatedRows > 0n ? { ...job, ...leased } : null
}

function asLeased(job: JobRow, leased: Map<string, number>): JobRow[] {
  const attempts = leased.get(job.id)
  return attempts === undefined ? [] : [{ ...job, state: 'working', attempts }]
}

export async function release(database: Scope<Tables>, jobs: JobRow[]): Promise<void> {
  if (jobs.length === 0) return
  await database.transaction(
    async ({ db }) => {
      for (const job of jobs)
        await changeSame(db, [job], { state: 'due', leased_until: null, attempts: job.attempts - 1 }).execute()
    },
    { readCommitted: true },
  )
}

/** Returns true if no other worker has claimed any of the jobs meanwhile. */
export async function markDone(db: Db, jobs: JobRow[]): Promise<boolean> {
  const [only] = jobs
  if (only && jobs.length === 1) return (await markOne(db, only)).length === 1
  const sets = Map.groupBy(jobs, ({ account_id, attempts }) => `${account_id} ${attempts}`)
  const done = { state: 'done', leased_until: null, last_error: null, finished_at: timestampOf(new Date()) } as const
  let marked = 0n
  for (const set of sets.values()) {
    const change = changeSame(db, set, { ...done, attempts: attemptOf(set[0]!) })
    marked += (await change.executeTakeFirstOrThrow()).numUpdatedRows
  }
  return marked === BigInt(jobs.length)
}

/** Marks jobs of one account as done. Returns the ids of those that no other worker has claimed meanwhile. */
export async function markSeveral(db: Db, jobs: JobRow[]): Promise<Set<string>> {
  const done = { state: 'done', leased_until: null, last_error: null, finished_at: timestampOf(new Date()) } as const
  const sets = [...Map.groupBy(jobs, ({ state, attempts }) => `${state} ${attempts}`).values()]
  const marked = await Promise.all(
    sets.map((set) =>
      changeSame(db, set, { ...done, attempts: attemptOf(set[0]!) })
        .returning('id')
        .execute(),
    ),
  )
  return new Set(marked.flat().map(({ id }) => id))
}

function markOne(db: Db, job: JobRow): Promise<unknown[]> {
  return setDone(db, attemptOf(job), timestampOf(new Date()), job.account_id, job.id, job.attempts, job.state)
}

const setDone = compileOnce(
  (db: Db, attempt: number, now: string, account: string, id: string, attempts: number, state: JobRow['state']) =>
    db
      .updateTable('jobs')
      .set({ state: 'done', attempts: attempt, finished_at: now, leased_until: null, last_error: null })
      .where('account_id', '=', account)
      .where('id', '=', id)
      .where('attempts', '=', attempts)
      .where('state', '=', state)
      .returning('id'),
)

/** Returns the number of a job's attempt, from 1. A claim has already counted it, but a clock advance runs jobs without a claim. */
export function attemptOf({ state, attempts }: JobRow): number {
  return state === 'working' ? attempts : attempts + 1
}

/** Updates jobs of one account that have the same state, except those that have changed since they were read. */
export function changeSame(db: Db, jobs: JobRow[], values: Partial<JobRow>) {
  return db
    .updateTable('jobs')
    .set(values)
    .where('account_id', '=', jobs[0]!.account_id)
    .where('id', 'in', ids(jobs))
    .where('attempts', '=', jobs[0]!.attempts)
    .where('state', '=', jobs[0]!.state)
}

function ids(jobs: JobRow[]): string[] {
  return jobs.map(({ id }) => id)
}
