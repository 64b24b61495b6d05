import { type Kysely, sql } from 'kysely'
import type { PoolClient } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { AccountTurns } from '../../src/database/postgres/account-turns.ts'
import { engines } from './engines.ts'
import { type ItemTables, insertItem, itemIds, itemMigrations } from './items.ts'

const turn = { account: 'acct_1', inTurn: true }

describe('Turns of an account', () => {
  const client = {} as PoolClient

  it('hand on the connection of a commit that is under way, once', async () => {
    const turns = new AccountTurns({ waitingCount: 0 })
    const first = await turns.follow('a')
    expect(first.client).toBeUndefined()
    const isTaken = first.handOver(client)
    const second = await turns.follow('a')
    expect(second.client).toBe(client)
    expect((await turns.follow('b')).client).toBeUndefined()
    expect(isTaken()).toBe(true)
    second.leave()
    expect((await turns.follow('a')).client).toBeUndefined()
  })

  it('keep no connection from those who wait for one, and none for programs: they wait for the commit', async () => {
    const pool = { waitingCount: 1 }
    const turns = new AccountTurns(pool)
    const isTaken = (await turns.follow('a')).handOver(client)
    const order: string[] = []
    const following = turns.follow('a').then((next) => order.push(`followed ${next.client}`) && next.leave())
    const program = turns.take('a').then((leave) => order.push('program') && leave())
    await new Promise((resolve) => setTimeout(resolve, 5))
    order.push('committed')
    expect(isTaken()).toBe(false)
    await Promise.all([following, program])
    expect(order).toEqual(['committed', 'followed undefined', 'program'])
  })

  it('are given up by a program whose time is over before that commit is', async () => {
    const turns = new AccountTurns({ waitingCount: 0 })
    const isTaken = (await turns.follow('a')).handOver(client)
    const stop = new AbortController()
    const program = turns.take('a', stop.signal)
    await Promise.resolve()
    stop.abort(new Error('too late'))
    await expect(program).rejects.toThrow('too late')
    expect((await turns.follow('a')).client).toBe(client)
    expect(isTaken()).toBe(true)
  })
})

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
