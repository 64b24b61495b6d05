import { openDatabase } from '../database/open.ts'
import { allMigrations } from '../migrations.ts'
import type { ShopDatabase, Tables } from '../resources/tables.ts'
import type { Settings } from '../settings/config.ts'

export interface WithDatabaseOptions {
  /** Whether to create the database if there is none. */
  make?: boolean
}

/** Opens the database, even while a server uses it. Throws DatabaseStartError if the service was never started, unless `make` is set. */
export async function withDatabase<Result>(
  settings: Settings,
  work: (database: ShopDatabase) => Promise<Result>,
  { make = false }: WithDatabaseOptions = {},
): Promise<Result> {
  const database = await openDatabase<Tables>({
    databaseUrl: settings.DATABASE_URL,
    directory: settings.DATA_DIR,
    migrations: await allMigrations(),
    shared: true,
    existing: !make,
  })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
