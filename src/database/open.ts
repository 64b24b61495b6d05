import type { Database, WriterWatch } from './database.ts'
import type { Migration } from './migrate.ts'

export interface OpenOptions {
  /** The URL of a PostgreSQL database. If empty or undefined, the embedded database in `directory` is used. */
  databaseUrl: string | undefined
  directory: string
  migrations: Migration[]
  /** Whether a short command opens the database while a server may be running. See `SqliteOptions`. */
  shared?: boolean
  writerWatch?: WriterWatch | undefined
  /** Whether the database must already exist with the schema of this version. The schema is then not updated. */
  existing?: boolean
}

export async function openDatabase<Tables>(options: OpenOptions): Promise<Database<Tables>> {
  const { databaseUrl, directory, migrations, shared = false, writerWatch, existing = false } = options
  if (databaseUrl) {
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres<Tables>({ url: databaseUrl, migrations, existing })
  }
  const { openSqlite } = await import('./sqlite.ts')
  return openSqlite<Tables>({ directory, migrations, shared, writerWatch, existing })
}
