import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { compileOnce } from '../database/compile-once.ts'
import type { JobRow } from '../database/system-tables.ts'
import type { Tables } from '../resources/tables.ts'

interface Kind {
  lane: JobRow['lane']
  /** The kinds of jobs that this process knows. */
  names: string[]
}

/** The first `count` due jobs of each account, in the accounts' order. */
export async function firstJobs(
  read: Kysely<Tables>,
  accounts: string[],
  kind: Kind,
  count: number,
): Promise<JobRow[][]> {
  if (accounts.length === 0) return []
  if (read.getExecutor().adapter instanceof PostgresAdapter) return inOneRoundTrip(read, accounts, kind, count)
  const find = finderOf(kind)
  const lines: JobRow[][] = []
  for (const account of accounts) lines.push(await find(read, account, count))
  return lines
}

async function inOneRoundTrip(
  read: Kysely<Tables>,
  accounts: string[],
  { lane, names }: Kind,
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

type FindFirst = (read: Kysely<Tables>, account: string, count: number) => Promise<JobRow[]>

const finders = new Map<string, FindFirst>()

/** The embedded engine answers at once, without a round trip; there the query is compiled once for each lane. */
function finderOf({ lane, names }: Kind): FindFirst {
  const key = JSON.stringify([lane, names])
  const find =
    finders.get(key) ??
    compileOnce((db: Kysely<Tables>, account: string, count: number) => {
      const due = db.selectFrom('jobs').selectAll().where('state', '=', 'due').where('lane', '=', lane)
      const known = due.where('account_id', '=', account).where('name', 'in', names)
      return known.orderBy('run_at').orderBy('id').limit(count)
    })
  finders.set(key, find)
  return find
}
