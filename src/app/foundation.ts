import { quietSettings, type Settings } from '../config.ts'
import type { Database } from '../database/database.ts'
import { loadMigrations } from '../database/migrate.ts'
import { openDatabase } from '../database/open.ts'
import { isQuietCopy } from '../database/quiet.ts'
import { watchedDatabase } from '../database/watched.ts'
import { type Observed, observe } from '../monitoring/observe.ts'
import { tellingSparingly } from '../monitoring/storage-log.ts'
import type { Tables } from '../resources/tables.ts'
import { AccountStorage } from '../storage/account-storage.ts'
import type { Log } from './log.ts'

/** What everything else is built on. */
export interface Foundation {
  settings: Settings
  /** Without a slash at its end. */
  publicUrl: string
  log: Log
  observed: Observed
  /** How much each account stores. */
  storage: AccountStorage
  database: Database<Tables>
}

const MIGRATIONS = new URL('../database/migrations/', import.meta.url)

/** Opens the database, migrated, and counts what accounts store in it. Throws DatabaseStartError. */
export async function openFoundation(settings: Settings, publicUrl: string, fullLog: Log): Promise<Foundation> {
  const log = tellingSparingly(fullLog)
  const observed = await observe(settings, log)
  const { measures } = observed.monitor
  const storage = new AccountStorage({ limitBytes: settings.STORAGE_PER_ACCOUNT_MB * 1_000_000, log })
  const opened = await openDatabase<Tables>({
    databaseUrl: settings.DATABASE_URL,
    directory: settings.DATA_DIR,
    migrations: await loadMigrations(MIGRATIONS),
    writerWatch: measures ? { waited: measures.writerWaited, held: measures.writerHeld } : undefined,
  })
  storage.start(opened)
  const database = watchedDatabase(opened, storage.wrote)
  const isQuiet = settings.QUIET || (await isQuietCopy(database.read))
  return { settings: isQuiet ? quietSettings(settings) : settings, publicUrl, log, observed, storage, database }
}

export async function closeFoundation({ storage, database }: Foundation): Promise<void> {
  await storage.stop()
  await database.close()
}

/** Whether other processes may serve the same data, so that limits are counted in the database. */
export function isShared(database: Database<Tables>): boolean {
  return database.engine === 'postgres'
}
