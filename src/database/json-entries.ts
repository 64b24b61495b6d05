import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'

/** Returns the condition that a column's JSON object of strings has all of these entries. Keys may be any text. */
export function hasEntries<Tables>(
  db: Kysely<Tables>,
  column: string,
  entries: Record<string, string>,
): RawBuilder<boolean> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    return sql<boolean>`cast(${sql.ref(column)} as jsonb) @> cast(${JSON.stringify(entries)} as jsonb)`
  }
  const conditions = Object.entries(entries).map(
    ([key, value]) =>
      sql`exists (select 1 from json_each(${sql.ref(column)}) as entry where entry.key = ${key} and entry.value = ${value})`,
  )
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}
