import { PostgresAdapter, sql } from 'kysely'
import { compileOnce } from '../database/compile-once.ts'
import type { JobRow } from '../database/system-tables.ts'
import type { Db, ShopScope } from '../resources/tables.ts'

interface JobKind {
  lane: JobRow['lane']
  names: string[]
}

type FindFirst = (read: Db, account: string, count: number) => Promise<JobRow[]>

const finders = new Map<string, FindFirst>()

const MOST_MADE_DUE = 500

/** The state of a lane that decides which account's jobs run next. */
export interface LaneState {
  lane: JobRow['lane']
  names: string[]
  room: number
  /** The maximum number of one account's jobs at once: while other accounts wait, and while none do. */
  mostOfAccount: number
  mostAlone: number
  working: string[]
  /** The account whose job was claimed last. Accounts take turns in the order of their ids. */
  lastServed: string
}

/** Marks jobs as due, oldest first, if their time has come or their worker was lost. Returns true if there may be more. */
export async function makeDue(database: ShopScope, now: string): Promise<boolean> {
  const first = await Promise.all(LATE.map((late) => lateJobs(database.read, late, now).limit(1).executeTakeFirst()))
  if (first.every((job) => job === undefined)) return false
  return database.transaction(
    async ({ db }) => {
      let made = 0n
      for (const late of LATE) {
        const some = lateJobs(db, late, now).limit(MOST_MADE_DUE)
        const chosen = db
          .updateTable('jobs')
          .set({ state: 'due' })
          .where(({ eb, refTuple }) => eb(refTuple('account_id', 'id'), 'in', some.$asTuple('account_id', 'id')))
          // A job may have been canceled or claimed since it was chosen. The expression keeps the engine from using the index on the state.
          .where(sql`state || ''`, '=', late.state)
          .where(late.time, '<=', now)
        made += (await chosen.executeTakeFirstOrThrow()).numUpdatedRows
      }
      return made >= MOST_MADE_DUE
    },
    { readCommitted: true },
  )
}

const LATE = [
  { state: 'waiting', time: 'run_at' },
  { state: 'working', time: 'leased_until' },
] as const

function lateJobs(db: Db, { state, time }: (typeof LATE)[number], now: string) {
  return db
    .selectFrom('jobs')
    .select(['account_id', 'id'])
    .where('state', '=', state)
    .where(time, '<=', now)
    .orderBy('run_at')
}

/** Returns due jobs of the next accounts: first of those with fewer running jobs, then in the order of their turns. */
export async function nextJobs({ read }: ShopScope, turns: LaneState): Promise<{ jobs: JobRow[]; lastServed: string }> {
  const busy = new Map<string, number>()
  for (const account of turns.working) busy.set(account, (busy.get(account) ?? 0) + 1)
  const accounts = await nextAccounts(read, turns, turns.room + busy.size)
  const most = accounts.length * turns.mostOfAccount < turns.room ? turns.mostAlone : turns.mostOfAccount
  const free = accounts.filter((account) => (busy.get(account) ?? 0) < most)
  const lines = await firstJobs(read, free, turns, most)
  const jobs = choose(lines, busy, { room: turns.room, most })
  return { jobs, lastServed: jobs.at(-1)?.account_id ?? accounts.at(-1) ?? '' }
}

/** Chooses jobs so that all accounts have about the same number. Modifies `busy`, the number of running jobs per account. */
function choose(
  lines: JobRow[][],
  busy: Map<string, number>,
  { room, most }: { room: number; most: number },
): JobRow[] {
  const chosen: JobRow[] = []
  for (let count = 0; count < most; count++)
    for (const line of lines) {
      const [job] = line
      if (!job || (busy.get(job.account_id) ?? 0) !== count || chosen.length === room) continue
      line.shift()
      chosen.push(job)
      busy.set(job.account_id, count + 1)
    }
  return chosen
}

/** Returns up to `count` accounts with due jobs, starting after the account whose job was claimed last. */
async function nextAccounts(read: Db, { lane, lastServed }: LaneState, count: number): Promise<string[]> {
  const after = await accountsAfter(read, lane, lastServed, count)
  if (after.length === count || lastServed === '') return after
  const fromStart = await accountsAfter(read, lane, '', count)
  return [...new Set([...after, ...fromStart])].slice(0, count)
}

/** Skips from account to account through the index, so that only one entry of each is read. */
async function accountsAfter(read: Db, lane: JobRow['lane'], account: string, count: number): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    with recursive turn (account_id, place) as (
      select * from (
        select account_id, 1 from jobs
        where state = 'due' and lane = ${lane} and account_id > ${account} order by account_id limit 1
      ) as first
      union all
      select (
        select jobs.account_id from jobs
        where jobs.state = 'due' and jobs.lane = ${lane} and jobs.account_id > turn.account_id order by jobs.account_id limit 1
      ), place + 1
      from turn where turn.account_id is not null and place < cast(${count} as integer)
    )
    select account_id from turn where account_id is not null`.execute(read)
  return rows.map(({ account_id }) => account_id)
}

/** Returns the first `count` due jobs of each account, in the order of `accounts`. */
async function firstJobs(read: Db, accounts: string[], kind: JobKind, count: number): Promise<JobRow[][]> {
  if (accounts.length === 0) return []
  if (read.getExecutor().adapter instanceof PostgresAdapter) return inOneRoundTrip(read, accounts, kind, count)
  const find = finderOf(kind)
  const lines: JobRow[][] = []
  for (const account of accounts) lines.push(await find(read, account, count))
  return lines
}

async function inOneRoundTrip(
  read: Db,
  accounts: string[],
  { lane, names }: JobKind,
  count: number,
): Promise<JobRow[][]> {
  const wanted = sql.join(accounts.map((account) => sql`(${account})`))
  const { rows } = await sql<JobRow>`
    select job.* from (values ${wanted}) as wanted (account_id) cross join lateral (
      select * from jobs
      where state = 'due' and lane = ${lane} and jobs.account_id = wanted.account_id and name in (${sql.join(names)})
      order by run_at, id limit ${sql.lit(count)}
    ) as job`.execute(read)
  const lines = Map.groupBy(rows, ({ account_id }) => account_id)
  return accounts.flatMap((account) => {
    const line = lines.get(account)
    return line ? [line] : []
  })
}

/** Returns a function that queries one account. The embedded engine needs no round trip, so a query per account costs little. */
function finderOf({ lane, names }: JobKind): FindFirst {
  const key = JSON.stringify([lane, names])
  const find =
    finders.get(key) ??
    compileOnce((db: Db, account: string, count: number) => {
      const due = db.selectFrom('jobs').selectAll().where('state', '=', 'due').where('lane', '=', lane)
      const known = due.where('account_id', '=', account).where('name', 'in', names)
      return known.orderBy('run_at').orderBy('id').limit(count)
    })
  finders.set(key, find)
  return find
}
