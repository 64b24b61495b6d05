import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeBackup } from '../../src/backup/make.ts'
import { restoreBackup } from '../../src/backup/restore.ts'
import { type Database, DatabaseStartError } from '../../src/database/database.ts'
import { loadMigrations, type Migration } from '../../src/database/migrate.ts'
import { openDatabase } from '../../src/database/open.ts'
import { engines, freshDirectory, freshPostgresUrl } from './engines.ts'

const first: Migration & { sql: string } = {
  name: '0001-a',
  sql: 'create table a (id text not null primary key);\ninsert into a values (1);',
}
const second: Migration & { sql: string } = { name: '0002-b', sql: 'create table b (id text not null primary key);' }
const broken: Migration = {
  name: '0002-b',
  sql: 'create table b (id text not null primary key);\ninsert into c values (1);',
}

/** Stands for `first` and `second`. */
const baseline: Migration = {
  name: '0002-c',
  sql: '-- baseline: replaces 2 migrations, the last of them 0002-b at commit abc123\ncreate table a (id text primary key);\ncreate table b (id text primary key);',
}
const third: Migration = { name: '0003-d', sql: 'create table d (id text not null primary key);' }
const TOO_OLD =
  'is too old for this version of Shopwright: start the version of commit abc123 with it once, then this one.'

for (const engine of engines) {
  const suite = engine.available ? `on ${engine.name}` : `on ${engine.name} (left out: TEST_DATABASE_URL is not set)`
  describe.skipIf(!engine.available)(`migrations ${suite}`, () => {
    let place: { directory: string; databaseUrl: string | undefined; remove: () => Promise<void> }

    beforeEach(async () => {
      const { directory, remove } = await freshDirectory()
      place = { directory, databaseUrl: undefined, remove }
      if (engine.name === 'sqlite') return
      const server = await freshPostgresUrl()
      place = {
        directory,
        databaseUrl: server.url,
        remove: () => Promise.all([remove(), server.remove()]).then(() => {}),
      }
    })
    afterEach(() => place.remove())

    const open = (migrations: Migration[]) => openDatabase<Record<string, never>>({ ...place, migrations })

    it('run once each, in order, and are recorded', async () => {
      await (await open([first])).close()
      const database = await open([first, second])
      expect(await recorded(database)).toEqual(['0001-a', '0002-b'])
      expect((await sql`select * from a`.execute(database.read)).rows).toEqual([{ id: '1' }])
      await database.close()
    })

    it('that fail leave nothing of themselves and keep those before', async () => {
      await expect(open([first, broken])).rejects.toThrow(/c/)
      const database = await open([first, second])
      expect(await recorded(database)).toEqual(['0001-a', '0002-b'])
      await database.close()
    })

    it('can have words of its own for each engine, under one name', async () => {
      const own = {
        name: '0002-b',
        sql: {
          sqlite: 'create table b (id text not null primary key) without rowid;',
          postgres: 'create table b (id text collate "C" not null primary key);',
        },
      }
      for (let start = 0; start < 2; start++) {
        const database = await open([first, own])
        expect(await recorded(database)).toEqual(['0001-a', '0002-b'])
        expect((await sql`select count(*) as rows from b`.execute(database.read)).rows).toHaveLength(1)
        await database.close()
      }
    })

    it('of a newer version are refused', async () => {
      await (await open([first, second])).close()
      const refused = await open([first]).catch((error) => error)
      expect(refused).toBeInstanceOf(DatabaseStartError)
      expect(refused.message).toMatch(/newer version of Shopwright \(it has 0002-b\)/)
    })

    it('begin with the baseline in a new database', async () => {
      const database = await open([baseline, third])
      expect(await recorded(database)).toEqual(['0002-c', '0003-d'])
      expect((await sql`select * from a`.execute(database.read)).rows).toEqual([])
      await database.close()
    })

    it('go on from the baseline where those that it replaces have run', async () => {
      await (await open([first, second])).close()
      for (let start = 0; start < 2; start++) {
        const database = await open([baseline, third])
        expect(await recorded(database)).toEqual(['0002-c', '0003-d'])
        expect((await sql`select * from a`.execute(database.read)).rows).toEqual([{ id: '1' }])
        await database.close()
      }
      const newer = 'was made by a newer version of Shopwright (it has 0003-d)'
      await expect(open([baseline])).rejects.toThrow(newer)
      await expect(open([first, second])).rejects.toThrow('newer version of Shopwright (it has 0002-c, 0003-d)')
    })

    it.each([
      ['the last', [first]],
      ['one in between', [second]],
    ])('of before the baseline that lack %s are refused, and nothing is written', async (_, ran) => {
      await (await open(ran)).close()
      for (const existing of [false, true]) {
        const refused = await openDatabase({ ...place, migrations: [baseline, third], existing }).catch(
          (error) => error,
        )
        expect(refused).toBeInstanceOf(DatabaseStartError)
        expect(refused.message).toBe(`This database ${TOO_OLD}`)
      }
      const database = await open(ran)
      expect(await recorded(database)).toEqual(ran.map(({ name }) => name))
      await expect(sql`select * from d`.execute(database.read)).rejects.toThrow('d')
      await database.close()
    })

    it.runIf(engine.name === 'postgres')('run once when several replicas start together', async () => {
      const replicas = await Promise.all(Array.from({ length: 4 }, () => open([first, second])))
      expect(await recorded(replicas[0]!)).toEqual(['0001-a', '0002-b'])
      await Promise.all(replicas.map((replica) => replica.close()))
    })
  })
}

describe('a restore', () => {
  it('refuses a backup of before the baseline, and takes one that has had what it replaces', async () => {
    const { directory, remove } = await freshDirectory()
    const at = (name: string) => join(directory, name)
    const settings: Migration = { ...second, sql: 'create table settings (name text primary key, value text not null)' }
    const target = { directory: at('again'), engine: 'sqlite' as const, migrations: [baseline, third] }
    for (const [data, ran] of [
      ['older', [first]],
      ['last', [first, settings]],
    ] as const) {
      await (await openDatabase({ databaseUrl: undefined, directory: at(data), migrations: [...ran] })).close()
      await makeBackup({ directory: at(data), engine: 'sqlite' }, at(`${data}.tar`))
    }
    await expect(restoreBackup(at('older.tar'), target)).rejects.toThrow(
      new DatabaseStartError(`The backup ${TOO_OLD}`),
    )
    expect((await readdir(at('again'))).filter((name) => !name.includes('lock'))).toEqual([])
    await restoreBackup(at('last.tar'), target)
    expect(await readdir(at('again'))).toContain('shopwright.db')
    await remove()
  })
})

describe('loadMigrations', () => {
  it('reads the SQL files of a directory in order', async () => {
    const { directory, remove } = await freshDirectory()
    await mkdir(join(directory, 'sub'))
    await writeFile(join(directory, '0002-b.sql'), second.sql)
    await writeFile(join(directory, '0001-a.sql'), first.sql)
    await writeFile(join(directory, 'README.md'), '')
    expect(await loadMigrations(pathToFileURL(directory))).toEqual([first, second])
    await remove()
  })

  it('takes a file for each engine, after one for both, as one migration, and refuses one alone', async () => {
    const { directory, remove } = await freshDirectory()
    const read = () => loadMigrations(pathToFileURL(directory))
    await writeFile(join(directory, '0001-a.sql'), first.sql)
    await writeFile(join(directory, '0001-a2.sqlite.sql'), 'of sqlite')
    await expect(read()).rejects.toThrow('needs one file, or one for each engine: 0001-a2.sqlite.sql and')
    await writeFile(join(directory, '0001-a2.postgres.sql'), 'of postgres')
    const own = { name: '0001-a2', sql: { sqlite: 'of sqlite', postgres: 'of postgres' } }
    expect(await read()).toEqual([first, own])
    await writeFile(join(directory, '0001-a2.sql'), 'of both, then ')
    const all = { name: '0001-a2', sql: { sqlite: 'of both, then of sqlite', postgres: 'of both, then of postgres' } }
    expect(await read()).toEqual([first, all])
    await remove()
  })
})

async function recorded(database: Database<Record<string, never>>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from schema_migrations order by name`.execute(database.read)
  return rows.map(({ name }) => name)
}
