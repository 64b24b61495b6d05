import { sql } from 'kysely'
import { shownBy } from '../clock/account-clock.ts'
import { findClock } from '../clock/advance.ts'
import type { Scope, Unit } from '../database/database.ts'
import type { AccountClockRow, JobRow } from '../database/system-tables.ts'
import type { Tables } from '../resources/tables.ts'

/** Named in queries, as the index of jobs begins with state and lane. */
const LANES = ['due', 'outside', 'long'] as const
/** Jobs that one transaction makes due. */
const MOST_MADE_DUE = 500

type Read = Scope<Tables>['read']

/** What a round over the clocks of test accounts has found. */
interface Round {
  more: boolean
  /** Clocks that a command has asked to be moved. */
  requested: { accountId: string; to: string }[]
}

/** Makes the jobs due whose moment the clocks of their test accounts have passed; not while a clock is being moved. */
export async function makeDueByClocks(database: Scope<Tables>, realNow: string): Promise<Round> {
  const clocks = await clocksWithWork(database.read)
  let more = false
  for (const clock of clocks) {
    if (clock.next_run_at === null || clock.advance_id !== null) continue
    if (clock.next_run_at <= shownBy(clock, realNow)) more = (await makeDueOf(database, clock, realNow)) || more
  }
  const requested = clocks.flatMap(({ account_id, requested: to }) =>
    to === null ? [] : [{ accountId: account_id, to }],
  )
  return { more, requested }
}

/** Every clock with the moment of its first waiting job. Looks at one job of each lane for each account. */
async function clocksWithWork(read: Read): Promise<(AccountClockRow & { next_run_at: string | null })[]> {
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

/** True when there may be more. */
function makeDueOf(database: Scope<Tables>, { account_id }: AccountClockRow, realNow: string): Promise<boolean> {
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

/** What falls due first by the clock of an account, until `to`. `names` are the kinds of jobs that this process knows. */
export async function firstByClock(
  read: Read,
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

/** Whether jobs of an account that could start at once are still to be carried out, or under way. */
export async function hasDueJobs(read: Read, accountId: string, names: string[]): Promise<boolean> {
  const jobs = read.selectFrom('jobs').select('id').where('state', 'in', ['due', 'working'])
  const own = jobs.where('lane', 'in', LANES).where('account_id', '=', accountId)
  return (await own.where('name', 'in', names).limit(1).executeTakeFirst()) !== undefined
}

function waiting(db: Unit<Tables>['db'], accountId: string) {
  const ofLanes = db.selectFrom('jobs').where('state', '=', 'waiting_for_clock').where('lane', 'in', LANES)
  return ofLanes.where('account_id', '=', accountId)
}
