import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { engines } from './engines.ts'
import { type ItemTables, insertItem, itemIds, itemMigrations } from './items.ts'

const turn = { account: 'acct_1', inTurn: true }

const { available, open } = engines.find(({ name }) => name === 'postgres')!

describe.skipIf(!available)('Transactions of an account in turn', () => {
  let database: Database<ItemTables>
  beforeEach(async () => {
    database = await open(itemMigrations)
  })
  afterEach(() => database.close())

  it('follow each other on one connection, each seeing what those before it wrote', async () => {
    const each = (number: number) =>
      database.transaction(async ({ db }) => {
        const before = (await itemIds(db)).length
        await insertItem(db, `item ${number}`)
        return { before, connection: await connectionOf(db) }
      }, turn)
    const done = await Promise.all(Array.from({ length: 20 }, (_, number) => each(number)))
    expect(done.map(({ before }) => before)).toEqual(Array.from({ length: 20 }, (_, number) => number))
    expect(new Set(done.map(({ connection }) => connection)).size).toBe(1)
    expect(database.load()).toMatchObject({ busy: 0, waiting: 0 })
  })

  it('are not touched by one before them that fails, wherever it fails', async () => {
    await database.transaction(({ db }) => insertItem(db, 'taken'))
    const fails = {
      'with its commit': (db: Kysely<ItemTables>) => void insertItem(db, 'taken').catch(() => {}),
      'at a statement': (db: Kysely<ItemTables>) => insertItem(db, 'taken'),
      'by itself': () => Promise.reject(new Error('duplicate key, it says')),
      'at its commit': async (db: Kysely<ItemTables>) => {
        await sql`create table once (id int unique deferrable initially deferred)`.execute(db)
        await sql`insert into once values (1), (1)`.execute(db)
      },
    }
    for (const [place, fail] of Object.entries(fails)) {
      const failing = database.transaction(async ({ db }) => {
        await insertItem(db, `lost ${place}`)
        await fail(db)
      }, turn)
      const following = [1, 2].map((number) =>
        database.transaction(async ({ db }) => insertItem(db, `kept ${number} ${place}`), turn),
      )
      await expect(failing).rejects.toThrow('duplicate key')
      await Promise.all(following)
    }
    const kept = Object.keys(fails).flatMap((place) => [`kept 1 ${place}`, `kept 2 ${place}`])
    expect(await itemIds(database.read)).toEqual([...kept, 'taken'].sort())
    expect(database.load()).toMatchObject({ busy: 0, waiting: 0 })
  })

  it('go on after a connection was lost under several of them', async () => {
    let lost = 0
    const work = (number: number) =>
      database.transaction(async ({ db }) => {
        await insertItem(db, `item ${number}`)
        if (number === 3 && lost++ === 0) await endOthers(database.read)
      }, turn)
    await Promise.all(Array.from({ length: 8 }, (_, number) => work(number)))
    expect(lost).toBe(2)
    expect(await itemIds(database.read)).toHaveLength(8)
    expect(database.load()).toMatchObject({ busy: 0, waiting: 0 })
  })
})

async function endOthers(db: Kysely<ItemTables>): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
}

async function connectionOf(db: Kysely<ItemTables>): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  return rows[0]!.pid
}
