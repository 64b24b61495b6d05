import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { copyDatabase, databasePath } from '../database/copies.ts'
import type { Database } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'
import type { Settings } from '../settings/config.ts'
import { withDatabase } from './with-database.ts'

/** Calls `work` with a consistent snapshot: a PostgreSQL transaction, or a temporary copy of the embedded database in `directory`. */
export async function atOneMoment<Result>(
  settings: Settings,
  { account, directory }: { account: string; directory: string },
  work: (database: Database<Tables>) => Promise<Result>,
): Promise<Result> {
  if (settings.DATABASE_URL !== undefined)
    return withDatabase(settings, async (database) => {
      const moment = database.program({ account })
      try {
        return await work(withReads(database, moment.read))
      } finally {
        await moment.rollback()
      }
    })
  const copies = await mkdtemp(join(directory, '.moment-'))
  try {
    await copyDatabase(settings.DATA_DIR, databasePath(copies))
    return await withDatabase({ ...settings, DATA_DIR: copies }, work)
  } finally {
    await rm(copies, { recursive: true, force: true })
  }
}

function withReads(database: Database<Tables>, read: Database<Tables>['read']): Database<Tables> {
  return Object.create(database, { read: { value: read } })
}
