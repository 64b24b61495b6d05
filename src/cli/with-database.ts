import type { Settings } from '../config.ts'
import type { Database } from '../database/database.ts'
import { loadMigrations } from '../database/migrate.ts'
import { openDatabase } from '../database/open.ts'
import type { Tables } from '../resources/tables.ts'

export interface WithDatabaseOptions {
  /** Makes the database of a new service, as a start does, where there is none. */
  make?: boolean
}

/**
 * Opens the database for a few short transactions, whether a server runs on it or not, and closes it after `work`. Throws
 * DatabaseStartError where no service has been started before: only a start, and who asks for it, makes data.
 */
export async function withDatabase<Result>(
  settings: Settings,
  work: (database: Database<Tables>) => Promise<Result>,
  { make = false }: WithDatabaseOptions = {},
): Promise<Result> {
  const database = await openDatabase<Tables>({
    databaseUrl: settings.DATABASE_URL,
    directory: settings.DATA_DIR,
    migrations: await loadMigrations(new URL('../database/migrations/', import.meta.url)),
    shared: true,
    existing: !make,
  })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
