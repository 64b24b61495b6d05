import type { Settings } from '../config.ts'
import type { Database } from '../database/database.ts'
import { loadMigrations } from '../database/migrate.ts'
import { openDatabase } from '../database/open.ts'
import type { Tables } from '../resources/tables.ts'

/** Opens the database for a few short transactions, whether a server runs on it or not. */
async function openShared(settings: Settings): Promise<Database<Tables>> {
  return openDatabase<Tables>({
    databaseUrl: settings.DATABASE_URL,
    directory: settings.DATA_DIR,
    migrations: await loadMigrations(new URL('../database/migrations/', import.meta.url)),
    shared: true,
  })
}

/** As `openShared`, for as long as `work` takes. */
export async function withDatabase<Result>(
  settings: Settings,
  work: (database: Database<Tables>) => Promise<Result>,
): Promise<Result> {
  const database = await openShared(settings)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
