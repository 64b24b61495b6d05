import { sql } from 'kysely'
import { shownBy } from '../clock/account-clock.ts'
import { findClock } from '../clock/advance.ts'
import type { Scope, Transaction } from '../database/database.ts'
import type { AccountClockRow, JobRow } from '../database/system-tables.ts'
import type { Tables } from '../resources/tables.ts'

/** Queries list all lanes, because the index of jobs begins with the state and the lane. */
const LANES = ['due', 'outside', 'long'] as const
const MOST_MADE_DUE = 500

type ReadDb = Scope<Tables>['read']

interface ClockRound {
  more: boolean
  /** The clocks that a command-line call has asked to advance, and the target times. */
  requested: { accountId: string; to: string }[]
}

/** Marks jobs of test accounts as due once the account's clock has reached their time, except while the clock is being advanced. */
export async function makeDueByClocks(database: Scope<Tables>, realNow: string): Promise<ClockRound> {
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

/** Returns all clocks of test accounts and the time of each account's first waiting job. Reads one job per lane and account. */
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

function makeAccountJobsDue(
  database: Scope<Tables>,
  { account_id }: AccountClockRow,
  realNow: string,
): Promise<boolean> {
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

function waiting(db: Transaction<Tables>['db'], accountId: string) {
  const ofLanes = db.selectFrom('jobs').where('state', '=', 'waiting_for_clock').where('lane', 'in', LANES)
  return ofLanes.where('account_id', '=', accountId)
}
