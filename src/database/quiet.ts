import { type Kysely, sql } from 'kysely'

/** The setting that marks a restored copy, which sends nothing until a person confirms that it is the service now. */
export const QUIET_SINCE = 'quiet_since'

/** Whether the database is marked with `QUIET_SINCE`. */
export async function isQuietCopy<Tables>(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql`select value from settings where name = ${QUIET_SINCE}`.execute(db)
  return rows.length > 0
}
