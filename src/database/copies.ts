import { open } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import { DatabaseStartError } from './database.ts'
import { QUIET_SINCE } from './quiet-copy.ts'
import { databasePath, placeOf, requireDatabase, startError } from './sqlite/start.ts'

export { noData } from './migrate.ts'
export { lockDirectory } from './sqlite/lock.ts'
export { databasePath, placeOf, requireDatabase }

/** The time to wait for a lock: the server may lock the database while a program commits. */
const BUSY_MS = 30_000
/** Copies all pages in one step. A single step reads one snapshot without restarting, and in WAL mode it blocks no writer. */
const ALL_PAGES = 2 ** 31 - 1

/** Copies a snapshot of the database while others write. Only the current user can read the copy. Throws DatabaseStartError. */
export async function copyDatabase(directory: string, to: string): Promise<void> {
  await (await open(to, 'wx', 0o600)).close()
  let source: DatabaseSync | undefined
  try {
    source = new DatabaseSync(databasePath(directory), { readOnly: true, timeout: BUSY_MS })
    await backup(source, to, { rate: ALL_PAGES })
  } catch (error) {
    throw startError(error, directory)
  } finally {
    source?.close()
  }
}

/** Checks a copy, makes it a single file without WAL, and returns its applied migrations. Throws DatabaseStartError if it is damaged. */
export function checkCopy(path: string): string[] {
  let copy: DatabaseSync | undefined
  try {
    copy = new DatabaseSync(path)
    copy.exec('pragma journal_mode = delete')
    const [found] = copy.prepare('pragma integrity_check').all()
    if (found?.integrity_check !== 'ok') throw new Error(String(found?.integrity_check))
    return copy
      .prepare('select name from schema_migrations order by name')
      .all()
      .map(({ name }) => String(name))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DatabaseStartError(`The copy of the database is damaged: ${reason}.`, { cause })
  } finally {
    copy?.close()
  }
}

/** Marks a checked copy, so that a service that uses it sends nothing until a person removes the mark. */
export function markQuiet(path: string): void {
  const copy = new DatabaseSync(path)
  try {
    copy
      .prepare('insert into settings (name, value) values (?, ?) on conflict (name) do nothing')
      .run(QUIET_SINCE, new Date().toISOString())
  } finally {
    copy.close()
  }
}
