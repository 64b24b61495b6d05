import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ConflictError, type Database, type OpenTransaction, type Transaction } from '../../src/database/database.ts'
import { openDatabase } from '../../src/database/open.ts'
import { allMigrations } from '../../src/migrations.ts'

/** A real database with an additional table of texts, which shows the effects of a program. */
export interface Notes {
  notes: { text: string }
}

const migrations = [...(await allMigrations()), { name: '9999_notes', sql: 'create table notes (text text not null)' }]

export async function openNotes(): Promise<{ database: Database<Notes>; close(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'notes-'))
  const database = await openDatabase<Notes>({ databaseUrl: undefined, directory, migrations })
  return {
    database,
    async close() {
      await database.close()
      rmSync(directory, { recursive: true })
    },
  }
}

/** Writes a text, `afterMs` into the transaction. */
export const write =
  (text: string, afterMs?: number) =>
  async (unit: Transaction<Notes>): Promise<void> => {
    if (afterMs !== undefined) await delay(afterMs)
    await unit.db.insertInto('notes').values({ text }).execute()
  }

export async function textsOf(database: Database<Notes>): Promise<string[]> {
  return (await database.read.selectFrom('notes').select('text').execute()).map((row) => row.text)
}

/** Starts a program of another account that holds the writer until it is rolled back. */
export async function otherHolder(database: Database<Notes>): Promise<OpenTransaction<Notes>> {
  const other = database.program({ account: 'acct_other' })
  await other.transaction(async () => {})
  return other
}

/** Wraps a database so that the writes of programs that `when` selects conflict with another transaction. */
export function conflicting(real: Database<Notes>, when: (write: number) => boolean): Database<Notes> {
  let writes = 0
  const program: Database<Notes>['program'] = (options) => {
    const open = real.program(options)
    const transaction: OpenTransaction<Notes>['transaction'] = (work) =>
      when(++writes) ? Promise.reject(new ConflictError('Another got there first.')) : open.transaction(work)
    const { read } = open
    return {
      read,
      transaction,
      settled: () => open.settled(),
      commit: () => open.commit(),
      rollback: () => open.rollback(),
    }
  }
  const transaction: Database<Notes>['transaction'] = (work, options) => real.transaction(work, options)
  const { engine, read } = real
  return {
    engine,
    read,
    transaction,
    program,
    load: () => real.load(),
    ping: () => real.ping(),
    close: () => real.close(),
  }
}
