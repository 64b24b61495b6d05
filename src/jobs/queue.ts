import { sql } from 'kysely'
import { shownBy } from '../clock/account-clock.ts'
import { findClock } from '../clock/advance.ts'
import { timestampOf } from '../contract/values/values.ts'
import { compileOnce } from '../database/compile-once.ts'
import type { AccountClockRow, JobRow } from '../database/system-tables.ts'
import type { Db, ShopDatabase, ShopScope } from '../resources/tables.ts'
import { type LaneState, nextJobs } from './lane-state.ts'

/** Marks jobs as done. Jobs that end while a transaction is being written share the next transaction. */
export class DoneJobs {
  readonly #database: ShopScope
  #next: JobRow[] = []
  #last: Promise<unknown> = Promise.resolve()
  #waiting: Promise<void> | undefined

  constructor(database: ShopScope) {
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

/** Claims due jobs of a lane, alternating between accounts, and leases them to this worker. */
export async function claimDueJobs(
  database: ShopDatabase,
  claim: Claim,
): Promise<{ jobs: JobRow[]; lastServed: string }> {
  const { jobs, lastServed } = await nextJobs(database, claim)
  if (jobs.length === 0) return { jobs, lastServed }
  const leaseMs = Math.max(...jobs.map(({ name }) => claim.leaseMs(name)))
  const leased = await database.transaction(({ db }) => lease(db, jobs, leaseMs), { readCommitted: true })
  return { jobs: jobs.flatMap((job) => asLeased(job, leased)), lastServed }
}

/** Leases jobs. Returns the attempt numbers by job id, without the jobs that another worker has claimed in the meantime. */
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

export async function release(database: ShopScope, jobs: JobRow[]): Promise<void> {
  if (jobs.length === 0) return
  await database.transaction(
    async ({ db }) => {
      for (const job of jobs)
        await changeSame(db, [job], { state: 'due', leased_until: null, attempts: job.attempts - 1 }).execute()
    },
    { readCommitted: true },
  )
}

/** Marks jobs as done. Returns false if another worker has claimed one of them in the meantime; that job stays unchanged. */
export async function markDone(db: Db, jobs: JobRow[]): Promise<boolean> {
  const [only] = jobs
  if (only && jobs.length === 1) {
    const { account_id, id, attempts, state } = only
    return (await setDone(db, attemptOf(only), timestampOf(new Date()), account_id, id, attempts, state)).length === 1
  }
  let marked = 0
  for (const own of Map.groupBy(jobs, ({ account_id }) => account_id).values())
    marked += (await markSeveral(db, own)).size
  return marked === jobs.length
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

/** Updates jobs of one account with the same state and attempts, except those that have changed since they were read. */
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

/** Queries list all lanes, because the index of jobs begins with the state and the lane. */
const LANES = ['due', 'outside', 'long'] as const
const MOST_MADE_DUE = 500

type ReadDb = Db

interface ClockRound {
  more: boolean
  /** The clocks that a command-line call has asked to advance, and the target times. */
  requested: { accountId: string; to: string }[]
}

/** Marks jobs of test accounts as due once the account's clock has reached their time, except while the clock is being advanced. */
export async function makeDueByClocks(database: ShopScope, realNow: string): Promise<ClockRound> {
  const clocks = await clocksWithWork(database.read)
  let more = false
  for (const clock of clocks) {
    if (clock.next_run_at === null || clock.advance_id !== null) continue
    if (clock.next_run_at <= shownBy(clock, realNow))
      more = (await makeAccountJobsDue(database, clock, realNow)) || more
  }
  const requested = clocks.flatMap(({ account_id, requested: to }) =>
    to === null ? [] : [{ accountId: account_id, to }],
  )
  return { more, requested }
}

/** Returns the clocks of all test accounts, each with the time of its first waiting job in the lanes `due` and `outside`. */
async function clocksWithWork(read: ReadDb): Promise<(AccountClockRow & { next_run_at: string | null })[]> {
  const first = (lane: JobRow['lane']) => sql`(
    select min(run_at) from jobs
    where state = 'waiting_for_clock' and lane = ${lane} and jobs.account_id = account_clocks.account_id
  )`
  const { rows } = await sql<AccountClockRow & { due_at: string | null; outside_at: string | null }>`
    select account_clocks.*, ${first('due')} as due_at, ${first('outside')} as outside_at from account_clocks
  `.execute(read)
  return rows.map((row) => ({ ...row, next_run_at: earlier(row.due_at, row.outside_at) }))
}

function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}

function makeAccountJobsDue(database: ShopScope, { account_id }: AccountClockRow, realNow: string): Promise<boolean> {
  return database.transaction(async ({ db }) => {
    const clock = await findClock(db, account_id)
    if (clock.advance_id !== null) return false
    const some = waiting(db, account_id).where('run_at', '<=', shownBy(clock, realNow)).orderBy('run_at')
    const ids = (await some.select('id').limit(MOST_MADE_DUE).execute()).map(({ id }) => id)
    await db
      .updateTable('jobs')
      .set({ state: 'due' })
      .where('account_id', '=', account_id)
      .where('id', 'in', ids)
      .where('state', '=', 'waiting_for_clock')
      .execute()
    return ids.length === MOST_MADE_DUE
  })
}

/** Returns the first job that becomes due by an account's clock up to `to`. `names` are the job types that this process can run. */
export async function firstByClock(
  read: ReadDb,
  accountId: string,
  names: Record<JobRow['lane'], string[]>,
  to: string,
): Promise<JobRow | undefined> {
  let first: JobRow | undefined
  for (const lane of LANES) {
    if (names[lane].length === 0) continue
    const jobs = waiting(read, accountId).selectAll().where('lane', '=', lane).where('run_at', '<=', to)
    const [job] = await jobs.where('name', 'in', names[lane]).orderBy('run_at').orderBy('id').limit(1).execute()
    if (job && (!first || comesBefore(job, first))) first = job
  }
  return first
}

function comesBefore(one: JobRow, other: JobRow): boolean {
  return one.run_at === other.run_at ? one.id < other.id : one.run_at < other.run_at
}

export async function hasDueJobs(read: ReadDb, accountId: string, names: string[]): Promise<boolean> {
  const jobs = read.selectFrom('jobs').select('id').where('state', 'in', ['due', 'working'])
  const own = jobs.where('lane', 'in', LANES).where('account_id', '=', accountId)
  return (await own.where('name', 'in', names).limit(1).executeTakeFirst()) !== undefined
}

function waiting(db: Db, accountId: string) {
  const ofLanes = db.selectFrom('jobs').where('state', '=', 'waiting_for_clock').where('lane', 'in', LANES)
  return ofLanes.where('account_id', '=', accountId)
}
