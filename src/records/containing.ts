import { type RawBuilder, sql } from 'kysely'

/** Returns the condition that a lower-cased column contains `words`, ignoring their case; `%` and `_` match literally. */
export function containing(column: string, words: string): RawBuilder<boolean> {
  const pattern = `%${words.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`${sql.ref(column)} like ${pattern} escape '\\'`
}
