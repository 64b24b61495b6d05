import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '../config.ts'
import { copyDatabase, databasePath } from '../database/copies.ts'
import type { Database } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'
import { withDatabase } from './with-database.ts'

/**
 * The database as it is at one moment, to be read for as long as it takes, while others write: a copy in `directory` of the embedded
 * one, a transaction of PostgreSQL. The copy is removed after `work`.
 */
export async function atOneMoment<Result>(
  settings: Settings,
  { account, directory }: { account: string; directory: string },
  work: (database: Database<Tables>) => Promise<Result>,
): Promise<Result> {
  if (settings.DATABASE_URL !== undefined)
    return withDatabase(settings, async (database) => {
      const moment = database.program({ account })
      try {
        return await work(readingFrom(database, moment.read))
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

function readingFrom(database: Database<Tables>, read: Database<Tables>['read']): Database<Tables> {
  return Object.create(database, { read: { value: read } })
}
