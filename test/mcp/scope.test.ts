import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConflictError, type Database, WriterHeldTooLongError } from '../../src/database/database.ts'
import { ProgramEndedError, ProgramScope } from '../../src/mcp/program/scope.ts'
import { conflicting, type Notes, openNotes, otherHolder, textsOf, write } from './notes.ts'

let database: Database<Notes>
let close: () => Promise<void>

beforeEach(async () => {
  ;({ database, close } = await openNotes())
})
afterEach(() => close())

const account = 'acct_1'
const together = { account, together: true }
const separately = { account, together: false }
const kept = () => textsOf(database)
const writerIsFree = () => database.transaction(write('after'))

describe('together', () => {
  test('writes are seen by the program at once and by others after the commit', async () => {
    const scope = new ProgramScope(database, together)
    await scope.transaction(write('a'))
    await scope.transaction(write('b'))
    expect(await scope.read.selectFrom('notes').selectAll().execute()).toHaveLength(2)
    expect(await kept()).toEqual([])
    await scope.commit()
    expect(await kept()).toEqual(['a', 'b'])
  })

  test('a program that only reads never takes the writer', async () => {
    const scope = new ProgramScope(database, together)
    await scope.read.selectFrom('notes').selectAll().execute()
    await writerIsFree()
    await scope.commit()
    expect(await kept()).toEqual(['after'])
  })

  test('a refused write leaves the others intact', async () => {
    const scope = new ProgramScope(database, together)
    await scope.transaction(write('a'))
    const refused = scope.transaction(async (unit) => {
      await write('b')(unit)
      throw new Error('refused')
    })
    await expect(refused).rejects.toThrow('refused')
    await scope.commit()
    expect(await kept()).toEqual(['a'])
  })

  test('it is known whether a write was kept', async () => {
    const scope = new ProgramScope(database, together)
    await scope.read.selectFrom('notes').selectAll().execute()
    await expect(scope.transaction(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
    expect(scope.wrote).toBe(false)
    await scope.transaction(write('a'))
    expect(scope.wrote).toBe(true)
    await scope.rollback()
  })

  test('a read under way when the program ends is refused as one that came too late', async () => {
    const scope = new ProgramScope(database, together)
    const { read } = scope
    await scope.rollback()
    await expect(read.selectFrom('notes').selectAll().execute()).rejects.toThrow(ProgramEndedError)
  })

  test('a change of the account after the first read makes the first write a conflict', async () => {
    const scope = new ProgramScope(database, together)
    await scope.read.selectFrom('notes').selectAll().execute()
    await database.transaction(write('other'), { account })
    await expect(scope.transaction(write('a'))).rejects.toThrow(ConflictError)
    await expect(scope.commit()).rejects.toThrow(ConflictError)
    expect(await kept()).toEqual(['other'])
  })

  test('a program that holds the writer too long while others wait is told, and nothing of it is kept', async () => {
    const scope = new ProgramScope(database, together)
    await scope.transaction(write('a'))
    await writerIsFree()
    expect(scope.takenAway.aborted).toBe(true)
    expect(scope.loss).toBeInstanceOf(WriterHeldTooLongError)
    await expect(scope.transaction(write('b'))).rejects.toThrow(WriterHeldTooLongError)
    await expect(scope.commit()).rejects.toThrow(WriterHeldTooLongError)
    expect(await kept()).toEqual(['after'])
  })

  test('a rollback awaits the write under way, undoes it, and lets nothing land after it', async () => {
    const scope = new ProgramScope(database, together)
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
    const other = await otherHolder(database)
    const scope = new ProgramScope(database, together)
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
      const other = await otherHolder(database)
      const scope = new ProgramScope(database, together)
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
    const scope = new ProgramScope(database, together)
    await scope.transaction(write('a'))
    await scope.rollback()
    await scope.rollback()
    expect(await kept()).toEqual([])
  })

  test('after a conflict in any call, the commit is refused and nothing is kept', async () => {
    const scope = new ProgramScope(
      conflicting(database, (write) => write === 2),
      together,
    )
    await scope.transaction(write('a'))
    await expect(scope.transaction(write('b'))).rejects.toThrow(ConflictError)
    await expect(scope.commit()).rejects.toThrow(ConflictError)
    await writerIsFree()
    expect(await kept()).toEqual(['after'])
  })
})

describe('separately', () => {
  test('nothing is held that a rollback would undo, whatever was written', async () => {
    const scope = new ProgramScope(database, separately)
    await scope.transaction(write('a'))
    expect([scope.wrote, scope.holdsWrites]).toEqual([true, false])
    const whole = new ProgramScope(database, together)
    expect(whole.holdsWrites).toBe(false)
    await whole.transaction(write('b'))
    expect(whole.holdsWrites).toBe(true)
    await whole.rollback()
    await scope.rollback()
  })

  test('each write is kept by itself, and a rollback undoes none', async () => {
    const scope = new ProgramScope(database, separately)
    await scope.transaction(write('a'))
    expect(await kept()).toEqual(['a'])
    const underWay = scope.transaction(write('b', 20))
    await delay(5)
    await scope.rollback()
    await underWay
    await expect(scope.transaction(write('late'))).rejects.toThrow(ProgramEndedError)
    expect(await kept()).toEqual(['a', 'b'])
    expect(scope.wrote).toBe(true)
  })

  test('a conflict refuses the one call, so that what is kept is never written again', async () => {
    const conflicts: Database<Notes> = {
      engine: database.engine,
      read: database.read,
      program: (options) => database.program(options),
      load: () => database.load(),
      transaction: () => Promise.reject(new ConflictError('Another got there first.')),
      ping: () => database.ping(),
      close: () => database.close(),
    }
    const scope = new ProgramScope(conflicts, separately)
    await expect(scope.transaction(write('a'))).rejects.toMatchObject({ code: 'overloaded', status: 503 })
    expect(scope).toMatchObject({ loss: null, wrote: false })
  })
})
