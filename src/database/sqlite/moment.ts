import type { CheckSchema, Moment } from '../moment.ts'
import { SqliteConnection } from './connection.ts'
import { readHandle } from './handle.ts'
import { migrationSession } from './migration-session.ts'
import { databasePath, placeOf, requireDatabase, startError } from './start.ts'

/** The time to wait for a lock: the server may lock the database while a program commits. */
const BUSY_MS = 30_000
const CACHE_KIB = 65_536

/** Opens a read-only snapshot of the embedded database in a data directory. Throws DatabaseStartError. */
export async function sqliteMoment<Tables>(directory: string, checkSchema: CheckSchema): Promise<Moment<Tables>> {
  requireDatabase(directory)
  let connection: SqliteConnection | undefined
  try {
    connection = new SqliteConnection(databasePath(directory), BUSY_MS, { readOnly: true })
    connection.raw.exec(`pragma cache_size = -${CACHE_KIB}; pragma temp_store = memory; begin`)
    await checkSchema(migrationSession(connection), placeOf(directory))
    const opened = connection
    return {
      engine: 'sqlite',
      db: readHandle<Tables>(opened),
      damage: async () => damageOf(opened),
      close: async () => opened.close(),
    }
  } catch (error) {
    connection?.close()
    throw startError(error, directory)
  }
}

function damageOf({ raw }: SqliteConnection): string[] {
  const found = raw.prepare('pragma integrity_check').all()
  const pages = found.map((row) => String(row.integrity_check)).filter((said) => said !== 'ok')
  const rows = raw.prepare('pragma foreign_key_check').all()
  const references = rows.map(
    (row) => `${row.table}: row ${row.rowid} refers to a row of ${row.parent} that is missing`,
  )
  return [...pages.flatMap((said) => said.split('\n')), ...references]
}
