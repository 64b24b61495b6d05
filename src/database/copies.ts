import { open } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import { DatabaseStartError } from './database.ts'
import { QUIET_SINCE } from './quiet.ts'
import { databasePath, placeOf, requireDatabase, startError } from './sqlite/start.ts'

export { noData } from './migrate.ts'
export { lockDirectory } from './sqlite/lock.ts'
export { databasePath, placeOf, requireDatabase }

/** A program of the server may hold the database while it commits. */
const BUSY_MS = 30_000
/** All in one step: it reads one moment and never begins anew, and in the mode of our databases it stops no writer. */
const ALL_PAGES = 2 ** 31 - 1

/**
 * Copies the database of a data directory as it is at one moment, while others write. The copy can be read by this user only.
 * Throws DatabaseStartError when there is none, or when it cannot be read.
 */
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

/**
 * Checks all of a copied database, which becomes one file without others, and names its migrations. Throws DatabaseStartError
 * when it is damaged.
 */
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

/** Marks a checked copy, so that a service on it sends nothing until somebody says that it is to. */
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
