import { sql } from 'kysely'
import { timestampOf } from '../contract/values/values.ts'
import { compileOnce } from '../database/compile-once.ts'
import type { Database, Scope, Unit } from '../database/database.ts'
import type { JobRow } from '../database/system-tables.ts'
import type { Tables } from '../resources/tables.ts'
import { nextJobs, type Turns } from './turns.ts'

/** Marks jobs as done. Those that end while others are being written share the next transaction. */
export class DoneJobs {
  readonly #database: Scope<Tables>
  #next: JobRow[] = []
  #last: Promise<unknown> = Promise.resolve()
  #waiting: Promise<void> | undefined

  constructor(database: Scope<Tables>) {
    this.#database = database
  }

  /** Resolves when it is written. */
  mark(job: JobRow): Promise<void> {
    this.#next.push(job)
    this.#waiting ??= this.#write()
    return this.#waiting
  }

  async #write(): Promise<void> {
    await this.#last.catch(() => {})
    const jobs = this.#next.splice(0)
    this.#waiting = undefined
    const written = this.#database.transaction(({ db }) => markDone(db, jobs))
    this.#last = written
    await written
  }
}

interface Claim extends Turns {
  leaseMs(name: string): number
}

type Db = Unit<Tables>['db']

/** Takes due jobs of a lane, account by account in turn, and leases them. */
export async function claimDueJobs(
  database: Database<Tables>,
  claim: Claim,
): Promise<{ jobs: JobRow[]; lastServed: string }> {
  const { jobs, lastServed } = await nextJobs(database, claim)
  if (jobs.length === 0) return { jobs, lastServed }
  const leaseMs = Math.max(...jobs.map(({ name }) => claim.leaseMs(name)))
  const leased = await database.transaction(({ db }) => lease(db, jobs, leaseMs))
  return { jobs: jobs.flatMap((job) => asLeased(job, leased)), lastServed }
}

/** The attempts, by job, of those that no other worker has taken meanwhile. */
async function lease(db: Db, jobs: JobRow[], leaseMs: number): Promise<Map<string, number>> {
  const keys = sql.join(jobs.map(({ account_id, id }) => sql`(${account_id}, ${id})`))
  const leasedUntil = timestampOf(new Date(Date.now() + leaseMs))
  // An expression, so that the jobs are found by their keys and not among all that are due.
  const { rows } = await sql<Pick<JobRow, 'id' | 'attempts'>>`
    update jobs set state = 'working', leased_until = ${leasedUntil}, attempts = attempts + 1
    where (account_id, id) in (values ${keys}) and state || '' = 'due' returning id, attempts`.execute(db)
  return new Map(rows.map(({ id, attempts }) => [id, attempts]))
}

/** Leases one job that waits for its account's clock, whose moment has come. Null when it was canceled meanwhile. */
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

/** Gives back jobs that were claimed and not begun. */
export async function release(database: Scope<Tables>, jobs: JobRow[]): Promise<void> {
  if (jobs.length === 0) return
  await database.transaction(async ({ db }) => {
    for (const job of jobs)
      await changeSame(db, [job], { state: 'due', leased_until: null, attempts: job.attempts - 1 }).execute()
  })
}

/** Marks attempts as done, inside a transaction. True when all were still theirs who had claimed them. */
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

/** As `markDone`, jobs of one account: the ids of those that were still theirs who had claimed them. */
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

/** Which attempt it is, from 1: a claimed job is counted already; one that an advance of a clock works is not claimed. */
export function attemptOf({ state, attempts }: JobRow): number {
  return state === 'working' ? attempts : attempts + 1
}

/** Changes jobs of one account in the same state, as long as they are as they were read: not canceled, nor claimed again. */
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
