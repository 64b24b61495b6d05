import { type Kysely, sql } from 'kysely'

/** The setting of a restored copy that sends nothing until somebody says that it is the service now. */
export const QUIET_SINCE = 'quiet_since'

/** Whether the database is that of such a copy. */
export async function isQuietCopy<Tables>(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql`select value from settings where name = ${QUIET_SINCE}`.execute(db)
  return rows.length > 0
}
