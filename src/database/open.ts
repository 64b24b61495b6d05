import type { Database, WriterWatch } from './database.ts'
import type { Migration } from './migrate.ts'

export interface OpenOptions {
  /** Empty or undefined: the embedded database in `directory`. */
  databaseUrl: string | undefined
  directory: string
  migrations: Migration[]
  /** For a short command while a server runs; see `SqliteOptions`. */
  shared?: boolean
  writerWatch?: WriterWatch | undefined
  /** Requires an existing database with the schema of this version, and changes nothing. */
  existing?: boolean
}

/** Opens the configured engine. Throws DatabaseStartError if it cannot be used. */
export async function openDatabase<Tables>(options: OpenOptions): Promise<Database<Tables>> {
  const { databaseUrl, directory, migrations, shared = false, writerWatch, existing = false } = options
  if (databaseUrl) {
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres<Tables>({ url: databaseUrl, migrations, existing })
  }
  const { openSqlite } = await import('./sqlite.ts')
  return openSqlite<Tables>({ directory, migrations, shared, writerWatch, existing })
}
