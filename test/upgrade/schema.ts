import { sql } from 'kysely'
import type { Database } from '../../src/database/database.ts'

type Db = Database<Record<string, never>>

/** Everything that a database's schema has, and its rows, one to a line; columns in any order. Records of migrations are left out. */
export async function schemaOf({ engine, read }: Pick<Db, 'engine' | 'read'>): Promise<string[]> {
  const lines =
    engine === 'sqlite' ? await sqliteLines(read) : (await POSTGRES.execute(read)).rows.map(({ line }) => line)
  const tables = engine === 'sqlite' ? SQLITE_TABLES : POSTGRES_TABLES
  for (const { name } of (await tables.execute(read)).rows) {
    if (name.startsWith('schema_migration')) continue
    const { rows } = await sql`select * from ${sql.id(name)}`.execute(read)
    lines.push(...rows.map((row) => `row of ${name} ${JSON.stringify(row)}`))
  }
  return lines.sort()
}

const SQLITE_TABLES = sql<{ name: string }>`select name from sqlite_schema where type = 'table'`
const POSTGRES_TABLES = sql<{
  name: string
}>`select tablename as name from pg_tables where schemaname = current_schema()`

/** SQLite keeps the text of each statement, to which columns that are added later are appended. */
async function sqliteLines(read: Db['read']): Promise<string[]> {
  const query = sql<{ type: string; name: string; sql: string }>`
    select type, name, sql from sqlite_schema where sql is not null`
  return (await query.execute(read)).rows.flatMap(({ type, name, sql: text }) => {
    const plain = text
      .replaceAll(/--.*$/gm, '')
      .replaceAll(/"(\w+)"/g, '$1')
      .replaceAll(/\s+/g, ' ')
    const [, body, tail] = /^create table \w+ \((.*)\)(.*)$/i.exec(plain) ?? []
    if (body === undefined) return [`${type} ${name} ${plain.toLowerCase().replace(' if not exists', '')}`]
    const parts = body.split(/,(?![^(]*\))/).map((part) => part.trim().replaceAll(/\( | \)/g, ''))
    return [`table ${name}${tail}`, ...parts.map((part) => `table ${name}: ${part}`)]
  })
}

const POSTGRES = sql<{ line: string }>`
  with own as (select oid, relname, relkind, relpersistence, reloptions from pg_class where relnamespace = current_schema()::regnamespace)
  select concat_ws(' ', relkind, relname, relpersistence, reloptions) as line from own
  union all
  select concat_ws(' ', 'column', relname, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid), collname,
    attidentity, attgenerated, attstorage, attoptions)
  from own join pg_attribute on attrelid = own.oid left join pg_attrdef on adrelid = attrelid and adnum = attnum
  left join pg_collation on pg_collation.oid = attcollation
  where relkind <> 'i' and attnum > 0 and not attisdropped
  union all
  select concat_ws(' ', 'index', pg_get_indexdef(indexrelid), indisvalid) from own join pg_index on indrelid = own.oid
  union all
  select concat_ws(' ', 'constraint', relname, conname, pg_get_constraintdef(pg_constraint.oid), convalidated)
  from own join pg_constraint on conrelid = own.oid
  union all
  select concat_ws(' ', 'trigger', relname, pg_get_triggerdef(pg_trigger.oid)) from own join pg_trigger on tgrelid = own.oid
  union all
  select concat_ws(' ', 'function', pg_get_functiondef(oid)) from pg_proc where pronamespace = current_schema()::regnamespace
  union all
  select concat_ws(' ', 'extension', extname) from pg_extension`
