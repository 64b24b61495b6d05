import { AsyncLocalStorage } from 'node:async_hooks'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConflictError, type Database } from '../../src/database/database.ts'
import { openSqlite } from '../../src/database/sqlite.ts'
import { freshDirectory } from './engines.ts'
import { type ItemTables, insertItem, itemIds, itemMigrations } from './items.ts'

const account = 'acct_1'

describe('the queue of the embedded writer', () => {
  let database: Database<ItemTables>
  let directory: string
  let remove: () => Promise<void>

  beforeEach(async () => {
    ;({ directory, remove } = await freshDirectory())
    database = await openSqlite<ItemTables>({ directory, migrations: itemMigrations })
  })
  afterEach(async () => {
    await database.close()
    await remove()
  })

  const add = (id: string) => database.transaction(({ db }) => insertItem(db, id))

  it('commits neighbours together and undoes a failing one alone', async () => {
    const addThenFail = () =>
      database.transaction(async ({ db }) => {
        await insertItem(db, 'x')
        await insertItem(db, 'a')
      })
    const outcomes = await Promise.allSettled([add('a'), addThenFail(), add('b')])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await itemIds(database.read)).toEqual(['a', 'b'])
  })

  it('acknowledges nothing of a batch before its commit', async () => {
    let visibleToSecond: string[] | undefined
    let firstAcknowledged = false
    const first = add('a').then(() => {
      firstAcknowledged = true
    })
    const second = database.transaction(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      visibleToSecond = await itemIds(database.read)
      expect(firstAcknowledged).toBe(false)
    })
    await Promise.all([first, second])
    expect(visibleToSecond).toEqual([])
  })

  it('rejects the whole batch when its commit fails', async () => {
    const outcomes = await Promise.allSettled([
      add('a'),
      database.transaction(({ db }) => db.executeQuery(endOfTransaction(db))),
      add('b'),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
    expect(await itemIds(database.read)).toEqual(['b'])
  })

  it('runs short works one after the other in the order they came, and then who holds the writer', async () => {
    const steps: string[] = []
    const step = (name: string) =>
      database.transaction(async () => {
        steps.push(`${name} starts`)
        await new Promise((resolve) => setTimeout(resolve, 2))
        steps.push(`${name} ends`)
      })
    const hold = async () => {
      const held = database.program({ account })
      await held.transaction(async () => steps.push('held'))
      await held.commit()
    }
    await Promise.all([step('1'), step('2'), hold(), step('3')])
    expect(steps).toEqual(['1 starts', '1 ends', '2 starts', '2 ends', '3 starts', '3 ends', 'held'])
  })

  it('lets a program hold the writer while reads go on', async () => {
    const held = database.program({ account })
    await held.transaction(({ db }) => insertItem(db, 'a'))
    let written = false
    const waiting = add('b').then(() => {
      written = true
    })
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(written).toBe(false)
    expect(await itemIds(database.read)).toEqual([])
    await held.commit()
    await waiting
    expect(await itemIds(database.read)).toEqual(['a', 'b'])
  })

  it('lets an aborted program leave the queue', async () => {
    const held = database.program({ account })
    await held.transaction(({ db }) => insertItem(db, 'undone'))
    const leaving = new AbortController()
    const aborted = database.program({ account, signal: leaving.signal })
    const leavingWrite = aborted.transaction(({ db }) => insertItem(db, 'never'))
    const waiting = add('a')
    leaving.abort(new Error('too late'))
    await expect(leavingWrite).rejects.toThrow('too late')
    await held.rollback()
    await waiting
    expect(await itemIds(database.read)).toEqual(['a'])
  })

  it('runs the work in the async context of its caller', async () => {
    const request = new AsyncLocalStorage<string>()
    const seen = ['a', 'b', 'c'].map((id) =>
      request.run(id, () => database.transaction(async () => request.getStore())),
    )
    expect(await Promise.all(seen)).toEqual(['a', 'b', 'c'])
  })

  it('lets a command beside the server write, and waits for it', async () => {
    const command = await openSqlite<ItemTables>({ directory, migrations: itemMigrations, shared: true })
    await command.transaction(({ db }) => insertItem(db, 'from the command'))
    await Promise.all([add('a'), command.transaction(({ db }) => insertItem(db, 'b')), add('c')])
    await command.close()
    expect(await itemIds(database.read)).toEqual(['a', 'b', 'c', 'from the command'])
  })

  it('says so when another process keeps writing', { timeout: 20_000 }, async () => {
    const other = new DatabaseSync(`${directory}/shopwright.db`)
    other.exec('begin immediate')
    await expect(add('a')).rejects.toThrow(ConflictError)
    const leaving = new AbortController()
    const program = database.program({ account, signal: leaving.signal })
    await expect(program.transaction(({ db }) => insertItem(db, 'b'))).rejects.toThrow(ConflictError)
    const waiting = add('c').catch((error) => error)
    leaving.abort()
    expect(await waiting).toBeInstanceOf(ConflictError)
    await program.rollback()
    other.exec('rollback')
    other.close()
    await add('a')
  })

  it('goes on reading and waiting while another process has the lock', { timeout: 20_000 }, async () => {
    await add('a')
    const other = new DatabaseSync(`${directory}/shopwright.db`)
    other.exec('begin immediate')
    let written = false
    const waiting = add('b').then(() => {
      written = true
    })
    for (let round = 0; round < 10; round++) {
      await new Promise((resolve) => setTimeout(resolve, 2))
      expect(await itemIds(database.read)).toEqual(['a'])
    }
    expect(written).toBe(false)
    other.exec('rollback')
    other.close()
    await waiting
    expect(await itemIds(database.read)).toEqual(['a', 'b'])
  })

  it('finishes what is queued before it closes', async () => {
    const writes = ['a', 'b', 'c'].map(add)
    await database.close()
    await Promise.all(writes)
    await expect(add('d')).rejects.toThrow('closed')
    database = await openSqlite<ItemTables>({ directory, migrations: itemMigrations })
    expect(await itemIds(database.read)).toEqual(['a', 'b', 'c'])
  })
})

/** Rolls back the whole transaction, as SQLite itself does when the disk is full. */
function endOfTransaction(db: Database<ItemTables>['read']) {
  return { ...db.selectFrom('item').selectAll().compile(), sql: 'rollback' }
}
