import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { type Migration, sqlFor } from '../../src/database/migrate.ts'
import { onlineStatements } from '../../src/database/online-migration.ts'
import { openDatabase } from '../../src/database/open.ts'
import { allMigrations } from '../../src/migrations.ts'
import { migrationFaults } from '../support/migration-rules.ts'
import { engines, freshDirectory, freshPostgresUrl, testServerUrl } from './engines.ts'

type Db = Database<Record<string, never>>

const first: Migration = {
  name: '0001-a',
  sql: 'create table things (id integer not null primary key, name text not null);',
}
const expand: Migration = { name: '0002-b', sql: 'alter table things add column size integer not null default 1;' }
const online: Migration = {
  name: '0003-c',
  sql: {
    postgres: `-- online
create index concurrently if not exists things_by_size on things (size);
-- repeat
update things set size = 2 where id in (select id from things where size = 1 limit 100);`,
    sqlite: `-- online
create index if not exists things_by_size on things (size);
-- repeat
update things set size = 2 where id in (select id from things where size = 1 limit 100);`,
  },
}

for (const { name: engine, available } of engines) {
  describe.skipIf(!available)(`an online migration on ${engine}`, () => {
    const { open } = places(engine)

    it('runs statement by statement, repeats what is to be repeated, and is recorded once', async () => {
      const database = await open([first, expand])
      await fill(database, 1_050)
      await database.close()
      const after = await open([first, expand, online])
      expect(await counted(after, 'size = 2')).toBe(1_050)
      expect(await recorded(after)).toEqual(['0001-a', '0002-b', '0003-c'])
      await after.close()
      await (await open([first, expand, online])).close()
    })

    it('that was cut off goes on where it was', async () => {
      const database = await open([first, expand])
      await fill(database, 500)
      await database.close()
      const failing = { name: online.name, sql: `${sqlFor(online, engine)}\nselect * from nowhere;` }
      await expect(open([first, expand, failing])).rejects.toThrow(/nowhere/)
      const after = await open([first, expand, online])
      expect(await counted(after, 'size = 2')).toBe(500)
      await after.close()
    })
  })
}

describe.skipIf(!testServerUrl)('a migration on PostgreSQL while others serve', () => {
  const { open, url } = places('postgres')

  it('builds indexes although other processes wait for its end, and each of them starts', async () => {
    const more = Array.from({ length: 20 }, (_, number) => ({
      name: `0004-${String(number).padStart(2, '0')}`,
      sql: `-- online\ncreate index concurrently if not exists things_${number} on things (size) where size > ${number};`,
    }))
    const all = await Promise.all(Array.from({ length: 3 }, () => open([first, expand, ...more])))
    for (const database of all) await database.close()
    const after = await open([first, expand, ...more])
    expect(await recorded(after)).toHaveLength(22)
    await after.close()
  })

  it('lets the prepared statements of the version before go on, in and outside transactions', async () => {
    const before = await open([first])
    await fill(before, 3)
    const all = (db: Db['read']) => sql`select * from things order by id`.execute(db)
    const inTransaction = () => before.transaction(({ db }) => all(db))
    for (let round = 0; round < 12; round++) await Promise.all([inTransaction(), all(before.read)])
    const after = await open([first, expand])
    const read = await all(before.read)
    expect(read.rows[0]).toMatchObject({ size: 1 })
    const many = await Promise.all(Array.from({ length: 12 }, () => Promise.all([inTransaction(), all(before.read)])))
    expect(many.flat().every(({ rows }) => rows.length === 3)).toBe(true)
    await Promise.all([before.close(), after.close()])
  })

  it('lets others pass when it cannot have its lock, and tries again', async () => {
    const before = await open([first])
    await fill(before, 3)
    const reader = new pg.Client({ connectionString: url() })
    await reader.connect()
    await reader.query('begin')
    await reader.query('select * from things')
    const opening = open([first, expand])
    let longest = 0
    for (const until = performance.now() + 3_000; performance.now() < until; await sleep(20)) {
      const began = performance.now()
      await before.transaction(async ({ db }) => sql`update things set name = name || 'x' where id = 1`.execute(db))
      longest = Math.max(longest, performance.now() - began)
    }
    await reader.query('commit')
    await reader.end()
    const after = await opening
    expect(await counted(after, 'size = 1')).toBe(3)
    // Each wait for the lock is limited to half a second; without the limit it would last until the reader ends.
    expect(longest).toBeLessThan(2_500)
    await Promise.all([before.close(), after.close()])
  })

  it('replaces an index whose building was cut off', async () => {
    const before = await open([first, expand])
    await fill(before, 10)
    const client = new pg.Client({ connectionString: url() })
    await client.connect()
    await client.query('insert into things (id, name) values (1000, $1)', ['Thing 1'])
    await client.query('create unique index concurrently things_by_size on things (size)').catch(() => {})
    const invalid = `select 1 from pg_index where indexrelid = to_regclass('things_by_size') and not indisvalid`
    expect((await client.query(invalid)).rows).toHaveLength(1)
    const after = await open([first, expand, online])
    expect((await client.query(invalid)).rows).toHaveLength(0)
    expect((await client.query(`select to_regclass('things_by_size') is not null as found`)).rows).toEqual([
      { found: true },
    ])
    await client.end()
    await Promise.all([before.close(), after.close()])
  })
})

describe('migrations of releases', () => {
  it('hold no table, and break no process of the version before', async () => {
    const all = await allMigrations()
    expect(
      all.flatMap((one) => migrationFaults(sqlFor(one, 'postgres')).map((fault) => `${one.name}: ${fault}`)),
    ).toEqual([])
  })

  it.each([
    ['create index orders_by_x on orders (x);', /concurrently/],
    ['create unique index orders_by_x on orders (x);', /concurrently/],
    ['create index concurrently if not exists orders_by_x on orders (x);', /begins with -- online/],
    ['drop index orders_by_x;', /concurrently/],
    ['alter table orders add column x text not null;', /needs a default/],
    ['alter table orders add column x text default gen_random_uuid();', /constant/],
    ['alter table orders add column x text default now();', /constant/],
    ['alter table orders add column x text unique;', /no constraint/],
    ['alter table orders add column x text references customers (id);', /no constraint/],
    ['alter table orders add constraint positive check (amount > 0);', /not valid/],
    ['alter table orders alter column amount type bigint;', /type does not change/],
    ['alter table orders alter column amount set not null;', /not null is a check/],
    ['alter table orders rename column amount to total;', /names do not change/],
    ['alter table orders drop column amount;', /a version later/],
    ['drop table orders;', /a version later/],
    ["update orders set x = 'y';", /-- repeat/],
    ['delete from orders;', /-- repeat/],
    ['insert into sums select account_id, sum(amount) from orders group by 1;', /-- repeat/],
    ['lock table orders;', /locks/],
    ['-- online\n-- repeat\nupdate orders set x = 1 where x is null;', /has a limit/],
    ['-- online\nupdate orders set x = 1 where x is null;', /-- repeat/],
  ])('may not have: %s', (text, fault) => {
    expect(migrationFaults(text)).toEqual(expect.arrayContaining([expect.stringMatching(fault)]))
  })

  it.each([
    'create table sums (id text primary key, total integer not null);\ncreate index sums_by_total on sums (total);',
    "alter table orders add column x text;\nalter table orders add column y text not null default 'none';",
    'alter table orders add column z integer not null default 0, add column w boolean default false;',
    'alter table orders add constraint positive check (amount > 0) not valid;',
    '-- online\ncreate index concurrently if not exists orders_by_x on orders (x);\nalter table orders validate constraint positive;',
    '-- online\n-- repeat\nupdate orders set x = 1 where id in (select id from orders where x is null limit 1000);',
    '-- contract: since 0.4.0\nalter table orders drop column x;',
  ])('may have: %s', (text) => {
    expect(migrationFaults(text)).toEqual([])
  })

  it('are online by their first line alone', () => {
    expect(onlineStatements('create table a (id text);')).toBeNull()
    expect(onlineStatements('-- Not online.\ncreate table a (id text);')).toBeNull()
    expect(onlineStatements("-- online\n-- Why.\nselect ';' as a;\n-- repeat\nselect 2;\n")).toEqual([
      { sql: "select ';' as a", repeat: false },
      { sql: 'select 2', repeat: true },
    ])
  })
})

/** Returns functions that create an empty database of an engine and open it. */
function places(engine: 'sqlite' | 'postgres') {
  let place: { directory: string; databaseUrl: string | undefined }
  let undo: (() => Promise<void>)[] = []
  beforeEach(async () => {
    const { directory, remove } = await freshDirectory()
    const server = engine === 'postgres' ? await freshPostgresUrl() : undefined
    place = { directory, databaseUrl: server?.url }
    undo = [remove, ...(server ? [server.remove] : [])]
  })
  afterEach(async () => {
    for (const step of undo) await step()
  })
  return {
    open: (migrations: Migration[]): Promise<Db> => openDatabase<Record<string, never>>({ ...place, migrations }),
    url: () => place.databaseUrl!,
  }
}

async function fill(database: Db, count: number): Promise<void> {
  await database.transaction(async ({ db }) => {
    for (let id = 0; id < count; id++)
      await sql`insert into things (id, name) values (${id}, ${`Thing ${id}`})`.execute(db)
  })
}

async function counted({ read }: Db, condition: string): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*) as count from things where ${sql.raw(condition)}`.execute(read)
  return Number(rows[0]!.count)
}

async function recorded({ read }: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from schema_migrations order by name`.execute(read)
  return rows.map(({ name }) => name)
}
