import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConflictError, type Database, type OpenTransaction, type Unit } from '../../src/database/database.ts'
import { openDatabase } from '../../src/database/open.ts'
import { ProgramEndedError, ProgramScope } from '../../src/mcp/program-scope.ts'

interface Tables {
  notes: { text: string }
}

const migrations = [{ name: '0001_notes', sql: 'create table notes (text text not null)' }]
let directory: string
let database: Database<Tables>

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'program-scope-'))
  database = await openDatabase<Tables>({ databaseUrl: undefined, directory, migrations })
})

afterEach(async () => {
  await database.close()
  rmSync(directory, { recursive: true })
})

const write = (text: string) => async (unit: Unit<Tables>) => {
  await unit.db.insertInto('notes').values({ text }).execute()
}
const writeSlowly = (text: string, ms: number) => async (unit: Unit<Tables>) => {
  await delay(ms)
  await unit.db.insertInto('notes').values({ text }).execute()
}
const kept = async () => (await database.read.selectFrom('notes').select('text').execute()).map((row) => row.text)
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
    const underWay = scope.transaction(writeSlowly('late', 30))
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
      const settled = Promise.allSettled([scope.transaction(writeSlowly('a', 0))])
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
    const scope = new ProgramScope(conflicting(database, 2), true)
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
    const underWay = scope.transaction(writeSlowly('b', 20))
    await scope.rollback()
    await underWay
    await expect(scope.transaction(write('late'))).rejects.toThrow(ProgramEndedError)
    expect(await kept()).toEqual(['a', 'b'])
    expect(scope.committedAlone).toBe(2)
  })
})

/** The same database, whose open transactions meet another one at their n-th write. */
function conflicting(real: Database<Tables>, atWrite: number): Database<Tables> {
  let writes = 0
  const begin = async (): Promise<OpenTransaction<Tables>> => {
    const open = await real.begin()
    const transaction: OpenTransaction<Tables>['transaction'] = (work) =>
      ++writes === atWrite ? Promise.reject(new ConflictError('Another got there first.')) : open.transaction(work)
    return { read: open.read, transaction, commit: () => open.commit(), rollback: () => open.rollback() }
  }
  return { ...real, read: real.read, engine: 'postgres', begin } as Database<Tables>
}
