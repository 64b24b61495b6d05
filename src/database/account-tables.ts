import { type Kysely, PostgresAdapter, sql } from 'kysely'

export interface AccountTable {
  name: string
  key: string[]
}

/**
 * Returns every table with a column `account_id`, from the database's own schema, so that no table can be forgotten. `accounts` is last,
 * because an account can be found only as long as its row exists.
 */
export async function accountTables<Tables>(db: Kysely<Tables>): Promise<AccountTable[]> {
  const onPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const { rows } = await (onPostgres ? POSTGRES_KEYS : SQLITE_KEYS).execute(db)
  const tables = new Map<string, AccountTable>()
  for (const { table, column } of rows) {
    const known = tables.get(table)
    if (known) known.key.push(column)
    else tables.set(table, { name: table, key: [column] })
  }
  return [...tables.values()].sort((one, other) => Number(one.name === 'accounts') - Number(other.name === 'accounts'))
}

/** Returns the text columns of each table; all other columns contain numbers. */
export async function textColumns<Tables>(db: Kysely<Tables>): Promise<Map<string, string[]>> {
  const onPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const { rows } = await (onPostgres ? POSTGRES_TEXTS : SQLITE_TEXTS).execute(db)
  const byTable = Map.groupBy(rows, ({ table }) => table)
  return new Map([...byTable].map(([table, columns]) => [table, columns.map(({ column }) => column)]))
}

interface KeyColumn {
  table: string
  column: string
}

const SQLITE_KEYS = sql<KeyColumn>`
  select tables.name as "table", columns.name as "column"
  from sqlite_schema as tables join pragma_table_info(tables.name) as columns
  where tables.type = 'table' and columns.pk > 0
    and exists (select 1 from pragma_table_info(tables.name) as owner where owner.name = 'account_id')
  order by tables.name, columns.pk`

const POSTGRES_KEYS = sql<KeyColumn>`
  select keys.table_name as "table", keys.column_name as "column"
  from information_schema.table_constraints as constraints
  join information_schema.key_column_usage as keys using (constraint_schema, constraint_name, table_name)
  where constraints.constraint_type = 'PRIMARY KEY' and constraints.table_schema = current_schema()
    and exists (
      select 1 from information_schema.columns as owner
      where owner.table_schema = current_schema() and owner.table_name = keys.table_name and owner.column_name = 'account_id'
    )
  order by keys.table_name, keys.ordinal_position`

const SQLITE_TEXTS = sql<KeyColumn>`
  select tables.name as "table", columns.name as "column"
  from sqlite_schema as tables join pragma_table_info(tables.name) as columns
  where tables.type = 'table' and lower(columns.type) = 'text'
  order by tables.name, columns.cid`

const POSTGRES_TEXTS = sql<KeyColumn>`
  select table_name as "table", column_name as "column"
  from information_schema.columns
  where table_schema = current_schema() and data_type = 'text'
  order by table_name, ordinal_position`
