import { type RawBuilder, sql } from 'kysely'

/** The condition that a lower-cased column contains words, whatever their case; `%` and `_` of them stand for themselves. */
export function containing(column: string, words: string): RawBuilder<boolean> {
  const pattern = `%${words.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`${sql.ref(column)} like ${pattern} escape '\\'`
}
