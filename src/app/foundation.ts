import type { Assembly } from '../assembly.ts'
import { openDatabase } from '../database/open.ts'
import { isQuietCopy } from '../database/quiet-copy.ts'
import { watchedDatabase } from '../database/watched.ts'
import { allMigrations } from '../migrations.ts'
import { writeGauges } from '../monitoring/load.ts'
import { type Observed, observe } from '../monitoring/observe.ts'
import { withoutRepeats } from '../monitoring/storage-log.ts'
import { tracedDatabase } from '../monitoring/traces/parts.ts'
import { WriteHealth } from '../monitoring/write-health.ts'
import { AccountStorage } from '../quota/account-storage.ts'
import type { ShopDatabase, Tables } from '../resources/tables.ts'
import { quietSettings, type Settings } from '../settings/config.ts'
import type { Log } from './log.ts'

/** The settings, database and monitoring that all other parts use. */
export interface Foundation {
  settings: Settings
  /** The public URL, without a trailing slash. */
  publicUrl: string
  log: Log
  assembly: Assembly
  observed: Observed
  /** Counts the bytes that each account stores. */
  storage: AccountStorage
  database: ShopDatabase
  /** Tracks whether writes to the database succeed. */
  writes: WriteHealth
}

/** Opens and migrates the database, and starts to count the storage of accounts. Throws DatabaseStartError. */
export async function openFoundation(
  settings: Settings,
  publicUrl: string,
  fullLog: Log,
  { assembly, now }: Pick<Foundation, 'assembly'> & { now: (() => number) | undefined },
): Promise<Foundation> {
  const log = withoutRepeats(fullLog)
  const observed = await observe(settings, log)
  const { measures } = observed.monitor
  const storage = new AccountStorage({ limitBytes: settings.STORAGE_PER_ACCOUNT_MB * 1_000_000, log })
  const opened = await openDatabase<Tables>({
    databaseUrl: settings.DATABASE_URL,
    directory: settings.DATA_DIR,
    migrations: await allMigrations(assembly.features.map(({ name }) => name)),
    writerWatch: measures ? { waited: measures.writerWaited, held: measures.writerHeld } : undefined,
  })
  storage.start(opened)
  const writes = new WriteHealth({ probe: () => writeProbe(watched), log, now })
  const watched = watchedDatabase(opened, { wrote: storage.wrote, succeeded: writes.succeeded, failed: writes.failed })
  const database = tracedDatabase(watched, observed.traces)
  observed.read(() => writeGauges(writes))
  const isQuiet = settings.OUTBOUND_DISABLED || (await isQuietCopy(database.read))
  writes.start()
  const own = { settings: isQuiet ? quietSettings(settings) : settings, publicUrl, log, assembly }
  return { ...own, observed, storage, database, writes }
}

/** Writes a single row to test whether the database accepts writes. */
function writeProbe(database: ShopDatabase): Promise<unknown> {
  const value = new Date().toISOString()
  const probe = { name: 'write_probe', value }
  return database.transaction(
    ({ db }) =>
      db
        .insertInto('settings')
        .values(probe)
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute(),
    { lowPriority: true },
  )
}

export async function closeFoundation({ storage, database, observed, writes }: Foundation): Promise<void> {
  await writes.stop()
  await storage.stop()
  await database.close()
  await observed.traces?.close()
}

/** Returns whether other processes may serve the same data; if so, rate limits are counted in the database. */
export function isShared(database: ShopDatabase): boolean {
  return database.engine === 'postgres'
}
