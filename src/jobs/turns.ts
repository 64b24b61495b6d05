import { type Kysely, sql } from 'kysely'
import type { Scope } from '../database/database.ts'
import type { JobRow } from '../database/system-tables.ts'
import type { Tables } from '../resources/tables.ts'
import { firstJobs } from './first-jobs.ts'

/** Jobs whose time has come and that one claim makes due. */
const MOST_MADE_DUE = 500

/** Who is at work in a lane, and whose turn was last. */
export interface Turns {
  lane: JobRow['lane']
  /** The kinds of jobs that this process knows. */
  names: string[]
  /** How many are taken at the most. */
  room: number
  /** Jobs of one account at once while others wait, and while nobody else does. */
  mostOfAccount: number
  mostAlone: number
  /** The accounts of the jobs under way, once for each. */
  working: string[]
  /** Accounts take turns in the order of their ids: the one that had the last turn. */
  lastServed: string
}

/** Makes jobs due whose time has come, the oldest first, and those whose worker was lost. True when there may be more. */
export async function makeDue(database: Scope<Tables>, now: string): Promise<boolean> {
  const late = (db: Kysely<Tables>) => [
    db.selectFrom('jobs').where('state', '=', 'waiting').where('run_at', '<=', now).orderBy('run_at'),
    db.selectFrom('jobs').where('state', '=', 'working').where('leased_until', '<', now).orderBy('run_at'),
  ]
  const first = await Promise.all(late(database.read).map((jobs) => jobs.select('id').limit(1).executeTakeFirst()))
  if (first.every((job) => job === undefined)) return false
  return database.transaction(async ({ db }) => {
    let made = 0n
    for (const jobs of late(db)) {
      const some = jobs.select(['account_id', 'id']).limit(MOST_MADE_DUE)
      const chosen = db
        .updateTable('jobs')
        .set({ state: 'due' })
        .where(({ eb, refTuple }) => eb(refTuple('account_id', 'id'), 'in', some.$asTuple('account_id', 'id')))
      made += (await chosen.executeTakeFirstOrThrow()).numUpdatedRows
    }
    return made >= MOST_MADE_DUE
  })
}

/** The due jobs of the accounts whose turn it is: an account with fewer jobs under way comes first, then who waits longest. */
export async function nextJobs({ read }: Scope<Tables>, turns: Turns): Promise<{ jobs: JobRow[]; lastServed: string }> {
  const busy = new Map<string, number>()
  for (const account of turns.working) busy.set(account, (busy.get(account) ?? 0) + 1)
  const accounts = await nextAccounts(read, turns, turns.room + busy.size)
  const most = accounts.length * turns.mostOfAccount < turns.room ? turns.mostAlone : turns.mostOfAccount
  const free = accounts.filter((account) => (busy.get(account) ?? 0) < most)
  const lines = await firstJobs(read, free, turns, most)
  const jobs = choose(lines, busy, { room: turns.room, most })
  return { jobs, lastServed: jobs.at(-1)?.account_id ?? accounts.at(-1) ?? '' }
}

/** Changes `busy` as it goes. */
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

/** At most `count` accounts that have due jobs, beginning after the one that was served last. */
async function nextAccounts(read: Kysely<Tables>, { lane, lastServed }: Turns, count: number): Promise<string[]> {
  const after = await accountsAfter(read, lane, lastServed, count)
  if (after.length === count || lastServed === '') return after
  const fromStart = await accountsAfter(read, lane, '', count)
  return [...new Set([...after, ...fromStart])].slice(0, count)
}

/** Goes from account to account through the index, so that it looks at as many entries as there are accounts in the result. */
async function accountsAfter(
  read: Kysely<Tables>,
  lane: JobRow['lane'],
  account: string,
  count: number,
): Promise<string[]> {
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
