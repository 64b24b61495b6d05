// Measures how long clients wait while a table of a million rows is migrated on PostgreSQL: node bench/migration.ts [ROWS]
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../src/database/database.ts'
import type { Migration } from '../src/database/migrate.ts'
import { openDatabase } from '../src/database/open.ts'
import { findServerPrograms, startServer } from '../test/support/postgres-server.mjs'

const ROWS = Number(process.argv[2] ?? 1_000_000)

const first: Migration = {
  name: '0001-things',
  sql: 'create table things (id integer not null primary key, account_id text not null, name text not null, amount integer not null);',
}
const expand: Migration = {
  name: '0002-expand',
  sql: "alter table things add column state text not null default 'new';\nalter table things add column total integer;",
}
const online: Migration = {
  name: '0003-online',
  sql: `-- online
create index concurrently if not exists things_without_total on things (id) where total is null;
create index concurrently if not exists things_by_account on things (account_id, amount, id);
-- repeat
update things set total = amount * 2 where id in (select id from things where total is null order by id limit 1000);
drop index concurrently if exists things_without_total;`,
}

type Db = Database<Record<string, never>>

const undo: (() => unknown)[] = []
try {
  const programs = findServerPrograms()
  if (programs === null) throw new Error('PostgreSQL is not installed.')
  const server = await startServer(programs, undo)
  const open = (migrations: Migration[]): Promise<Db> =>
    openDatabase({ databaseUrl: server.url, directory: '.', migrations })
  const before = await open([first])
  await before.transaction(({ db }) =>
    sql`insert into things select n, 'acct_' || n % 100, 'Thing ' || n, n % 9999 from generate_series(1, ${sql.lit(ROWS)}) n`.execute(
      db,
    ),
  )
  const quiet = await waits(before, () => sleep(3_000))
  let seconds = 0
  const meanwhile = await waits(before, async () => {
    const began = performance.now()
    await (await open([first, expand, online])).close()
    seconds = (performance.now() - began) / 1000
  })
  const { rows } = await sql<{ left: number }>`select count(*)::int as left from things where total is null`.execute(
    before.read,
  )
  console.log(`${ROWS.toLocaleString('en')} rows, migrated in ${seconds.toFixed(1)} s; rows left: ${rows[0]!.left}`)
  console.log(`before:    ${asText(quiet)}`)
  console.log(`meanwhile: ${asText(meanwhile)}`)
  await before.close()
} finally {
  for (const step of undo.reverse()) await step()
}

/** Returns the milliseconds of reads and of writes, by one client each, while `work` is running. */
async function waits(database: Db, work: () => Promise<unknown>): Promise<{ read: number[]; write: number[] }> {
  let done = false
  const took: { read: number[]; write: number[] } = { read: [], write: [] }
  const any = () => 1 + Math.floor(Math.random() * ROWS)
  const read = () => sql`select * from things where id = ${any()}`.execute(database.read)
  const write = () =>
    database.transaction(({ db }) => sql`update things set name = name || '.' where id = ${any()}`.execute(db))
  const repeat = async (act: () => Promise<unknown>, times: number[]) => {
    while (!done) {
      const began = performance.now()
      await act()
      times.push(performance.now() - began)
      await sleep(2)
    }
  }
  const clients = [repeat(read, took.read), repeat(write, took.write)]
  await work()
  done = true
  await Promise.all(clients)
  return took
}

function asText(took: { read: number[]; write: number[] }): string {
  const parts = Object.entries(took).map(([name, times]) => {
    const sorted = times.sort((one, other) => one - other)
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(1)
    return `${name} ${sorted.length}: half ${at(0.5)} ms, 99 % ${at(0.99)} ms, longest ${at(1)} ms`
  })
  return parts.join('; ')
}
