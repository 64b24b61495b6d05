import type { Kysely } from 'kysely'
import type { SystemTables } from './system-tables.ts'

/** The setting of a restored copy that sends nothing until somebody says that it is the service now. */
export const QUIET_SINCE = 'quiet_since'

/** Whether the database is that of such a copy. */
export async function isQuietCopy<Tables extends Pick<SystemTables, 'settings'>>(db: Kysely<Tables>): Promise<boolean> {
  const settings = db as unknown as Kysely<Pick<SystemTables, 'settings'>>
  const mark = settings.selectFrom('settings').select('value').where('name', '=', QUIET_SINCE)
  return (await mark.executeTakeFirst()) !== undefined
}
