import { statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConflictError, type Database, type OpenTransaction } from '../../src/database/database.ts'
import { openSqlite } from '../../src/database/sqlite.ts'
import { freshDirectory } from './engines.ts'
import { type ItemTables, itemIds, itemMigrations } from './items.ts'

const MIB = 1024 * 1024
const LIMIT = 64 * MIB
const BODY = 'x'.repeat(MIB)

describe('the log of commits of the embedded engine', { timeout: 60_000 }, () => {
  let database: Database<ItemTables>
  let directory: string
  let remove: () => Promise<void>
  let written = 0

  beforeEach(async () => {
    ;({ directory, remove } = await freshDirectory())
    database = await openSqlite<ItemTables>({ directory, migrations: itemMigrations })
  })
  afterEach(async () => {
    await database.close()
    await remove()
  })

  const size = () => statSync(`${directory}/shopwright.db-wal`).size
  const write = () =>
    database.transaction(({ db }) =>
      db
        .insertInto('item')
        .values({ id: `${++written}`, amount: 0, active: true, body: BODY })
        .execute(),
    )
  const read = (program: OpenTransaction<ItemTables>) => program.read.selectFrom('item').select('id').limit(1).execute()
  const reading = async (signal?: AbortSignal) => {
    const program = database.program({ account: 'a', ...(signal && { signal }) })
    await read(program)
    return program
  }
  const grow = async () => {
    while (size() <= LIMIT) await write()
  }

  it('stays small while nobody reads for long', async () => {
    for (let count = 0; count < 100; count++) await write()
    // On a busy machine the copying thread may be late. The first commit after it restarts the log.
    const sizeAfterOneMore = async () => {
      await write()
      return size()
    }
    await expect.poll(sizeAfterOneMore, { timeout: 30_000, interval: 50 }).toBeLessThan(LIMIT / 2)
  })

  it('stays bounded while snapshots overlap without a pause', async () => {
    let previous = await reading()
    let largest = 0
    for (let count = 0; count < 300; count++) {
      await write()
      largest = Math.max(largest, size())
      if (count % 10 > 0) continue
      // The next snapshot is requested before this one ends.
      const next = reading()
      await delay(1)
      await previous.rollback()
      previous = await next
    }
    await previous.rollback()
    expect(largest).toBeLessThan(LIMIT + 20 * MIB)
  })

  it('lets a new snapshot wait for the open ones, writes meanwhile, and begins anew', async () => {
    const first = await reading()
    await grow()
    let pinned = false
    const second = reading().then((program) => {
      pinned = true
      return program
    })
    for (let count = 0; count < 3; count++) await write()
    expect(pinned).toBe(false)
    await first.rollback()
    await (await second).rollback()
    expect(size()).toBeLessThan(LIMIT / 2)
  })

  it('takes its snapshot from a program that reads for longer than others should wait', async () => {
    const first = await reading()
    const onlyRead = await reading()
    await grow()
    await (await reading()).rollback()
    expect(size()).toBeLessThan(LIMIT / 2)
    await expect(read(first)).rejects.toThrow(ConflictError)
    await expect(first.transaction(async () => {})).rejects.toThrow(ConflictError)
    await first.rollback()
    await onlyRead.commit()
    expect((await itemIds(database.read)).length).toBeGreaterThan(0)
  })

  it('lets those who wait give up', async () => {
    const first = await reading()
    await grow()
    const leaving = new AbortController()
    const second = reading(leaving.signal)
    leaving.abort(new Error('left'))
    await expect(second).rejects.toThrow('left')
    await first.rollback()
  })

  it('takes the writer from a program that keeps new snapshots waiting with it', async () => {
    const first = await reading()
    await grow()
    const lost = Promise.withResolvers<void>()
    const holding = database.program({ account: 'b', onHeldTooLong: lost.resolve })
    await holding.transaction(({ db }) => db.deleteFrom('item').execute())
    await first.rollback()
    await (await reading()).rollback()
    await lost.promise
    await holding.rollback()
    expect((await itemIds(database.read)).length).toBeGreaterThan(0)
  })
})
