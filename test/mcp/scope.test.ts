import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConflictError, type Database } from '../../src/database/database.ts'
import { ProgramEndedError, ProgramScope } from '../../src/mcp/program/scope.ts'
import { conflicting, type Notes, openNotes, textsOf, write } from './notes.ts'

let database: Database<Notes>
let close: () => Promise<void>

beforeEach(async () => {
  ;({ database, close } = await openNotes())
})
afterEach(() => close())

const kept = () => textsOf(database)
const writerIsFree = () => database.transaction(write('after'))

describe('together', () => {
  test('writes are seen by the program at once and by others after the commit', async () => {
    const scope = new ProgramScope(database, true)
    await scope.transaction(write('a'))
    await scope.transaction(write('b'))
    expect(await scope.read.selectFrom('notes').selectAll().execute()).toHaveLength(2)
    expect(await kept()).toEqual([])
    await scope.commit()
    expect(await kept()).toEqual(['a', 'b'])
  })

  test('a program that only reads never takes the writer', async () => {
    const scope = new ProgramScope(database, true)
    await scope.read.selectFrom('notes').selectAll().execute()
    await writerIsFree()
    await scope.commit()
    expect(await kept()).toEqual(['after'])
  })

  test('a refused write leaves the others intact', async () => {
    const scope = new ProgramScope(database, true)
    await scope.transaction(write('a'))
    const refused = scope.transaction(async (unit) => {
      await write('b')(unit)
      throw new Error('refused')
    })
    await expect(refused).rejects.toThrow('refused')
    await scope.commit()
    expect(await kept()).toEqual(['a'])
  })

  test('a rollback awaits the write under way, undoes it, and lets nothing land after it', async () => {
    const scope = new ProgramScope(database, true)
    await scope.transaction(write('a'))
    const underWay = scope.transaction(write('late', 30))
    await delay(5)
    await scope.rollback()
    await underWay
    await expect(scope.transaction(write('later'))).rejects.toThrow(ProgramEndedError)
    expect(() => scope.read).toThrow(ProgramEndedError)
    await writerIsFree()
    expect(await kept()).toEqual(['after'])
  })

  test('a write that still waits for the writer gives up its place', async () => {
    const other = await database.begin()
    const scope = new ProgramScope(database, true)
    const waiting = scope.transaction(write('a'))
    const refusal = expect(waiting).rejects.toThrow()
    await delay(5)
    await scope.rollback()
    await refusal
    await other.rollback()
    await writerIsFree()
    expect(await kept()).toEqual(['after'])
  })

  test('a write that gets the writer in the moment of the rollback is undone', async () => {
    for (let round = 0; round < 50; round++) {
      const other = await database.begin()
      const scope = new ProgramScope(database, true)
      const settled = Promise.allSettled([scope.transaction(write('a', 0))])
      const freed = other.rollback()
      for (let turn = 0; turn < round % 10; turn++) await Promise.resolve()
      if (round % 3 === 0) await new Promise((resolve) => setImmediate(resolve))
      await Promise.all([freed, scope.rollback(), settled])
    }
    await writerIsFree()
    expect(await kept()).toEqual(['after'])
  })

  test('ending twice is harmless', async () => {
    const scope = new ProgramScope(database, true)
    await scope.transaction(write('a'))
    await scope.rollback()
    await scope.rollback()
    expect(await kept()).toEqual([])
  })

  test('after a conflict in any call, the commit is refused and nothing is kept', async () => {
    const scope = new ProgramScope(
      conflicting(database, (write) => write === 2),
      true,
    )
    await scope.transaction(write('a'))
    await expect(scope.transaction(write('b'))).rejects.toThrow(ConflictError)
    await expect(scope.commit()).rejects.toThrow(ConflictError)
    await writerIsFree()
    expect(await kept()).toEqual(['after'])
  })
})

describe('separately', () => {
  test('each write is kept by itself, and a rollback undoes none', async () => {
    const scope = new ProgramScope(database, false)
    await scope.transaction(write('a'))
    expect(await kept()).toEqual(['a'])
    const underWay = scope.transaction(write('b', 20))
    await delay(5)
    await scope.rollback()
    await underWay
    await expect(scope.transaction(write('late'))).rejects.toThrow(ProgramEndedError)
    expect(await kept()).toEqual(['a', 'b'])
    expect(scope.committedAlone).toBe(2)
  })

  test('a conflict refuses the one call, so that what is kept is never written again', async () => {
    const conflicts: Database<Notes> = {
      engine: database.engine,
      read: database.read,
      begin: (options) => database.begin(options),
      transaction: () => Promise.reject(new ConflictError('Another got there first.')),
      ping: () => database.ping(),
      close: () => database.close(),
    }
    const scope = new ProgramScope(conflicts, false)
    await expect(scope.transaction(write('a'))).rejects.toMatchObject({ code: 'overloaded', status: 503 })
    expect(scope.conflict).toBe(null)
  })
})
