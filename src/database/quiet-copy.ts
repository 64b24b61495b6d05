import { type Kysely, sql } from 'kysely'

/** The setting that marks a restored copy. The service then sends nothing until a person confirms that the copy is in use. */
export const QUIET_SINCE = 'quiet_since'

export async function isQuietCopy<Tables>(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql`select value from settings where name = ${QUIET_SINCE}`.execute(db)
  return rows.length > 0
}
