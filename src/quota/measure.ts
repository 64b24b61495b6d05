import { setTimeout as delay } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { type AccountTable, accountTables, textColumns } from '../database/account-tables.ts'
import { ROW_BYTES } from '../database/written.ts'
import type { Db } from '../resources/tables.ts'

/** Tables whose rows are not counted, with the reason. */
export const NOT_COUNTED: Readonly<Record<string, string>> = {
  storage_usage: 'One row for each other table.',
}

/** The number of rows that one query reads. A pause after each query lets the process serve requests. */
const STEP = 500
const TABLES_AT_ONCE = 12
const PAUSE_MS = 2

export interface CountedTable extends AccountTable {
  texts: string[]
}

export interface TableUse {
  name: string
  bytes: number
  rows: number
}

/** Returns every table with rows of accounts, except NOT_COUNTED. Reads the database schema, so that no list has to be kept. */
export async function countedTables(db: Db): Promise<CountedTable[]> {
  const [tables, texts] = [await accountTables(db), await textColumns(db)]
  return tables
    .filter(({ name }) => !Object.hasOwn(NOT_COUNTED, name))
    .map((table) => ({ ...table, texts: texts.get(table.name) ?? [] }))
}

/** Measures an account's rows in each table and omits empty tables. Works in short steps and reads only the sizes of texts. */
export async function measureAccount(
  db: Db,
  tables: readonly CountedTable[],
  accountId: string,
  signal: AbortSignal,
): Promise<TableUse[]> {
  const uses: TableUse[] = []
  for (let start = 0; start < tables.length; start += TABLES_AT_ONCE) {
    const some = tables.slice(start, start + TABLES_AT_ONCE)
    for (const use of await measureBeginnings(db, some, accountId)) {
      const table = some.find(({ name }) => name === use.name)!
      uses.push(use.rows > STEP ? await measureTable(db, table, accountId, signal) : use)
    }
    signal.throwIfAborted()
    await delay(PAUSE_MS)
  }
  return uses
}

/** Measures the first rows of several tables in one query, because accounts have few rows in most tables. Skips empty tables. */
async function measureBeginnings(db: Db, tables: readonly CountedTable[], accountId: string): Promise<TableUse[]> {
  const each = tables.map(
    (table) => sql`
      select cast(${sql.lit(table.name)} as text) as name, coalesce(sum(row_bytes), 0) as bytes, count(*) as rows from (
        select ${bytesOf(table)} as row_bytes from ${sql.table(table.name)}
        where account_id = ${accountId} limit ${sql.lit(STEP + 1)}
      ) as ${sql.id(`own_${table.name}`)}`,
  )
  const { rows } = await sql<TableUse>`${sql.join(each, sql` union all `)}`.execute(db)
  return rows.filter(({ rows }) => rows > 0)
}

type Step = Record<string, string | number> & { row_bytes: number }

async function measureTable(db: Db, table: CountedTable, accountId: string, signal: AbortSignal): Promise<TableUse> {
  const use: TableUse = { name: table.name, bytes: 0, rows: 0 }
  const key = table.key.filter((column) => column !== 'account_id')
  const columns = sql.join(key.map((column) => sql.ref(column)))
  let after = sql``
  for (;;) {
    signal.throwIfAborted()
    const { rows } = await sql<Step>`
      select ${columns}, ${bytesOf(table)} as row_bytes from ${sql.table(table.name)}
      where account_id = ${accountId} ${after} order by ${columns} limit ${sql.lit(STEP)}`.execute(db)
    use.rows += rows.length
    for (const row of rows) use.bytes += row.row_bytes
    const last = rows.at(-1)
    if (last === undefined || rows.length < STEP) return use
    after = sql`and (${columns}) > (${sql.join(key.map((column) => last[column]!))})`
    await delay(PAUSE_MS)
  }
}

/** Returns the SQL for the size of a row. `octet_length` is computed without reading the text. */
function bytesOf({ texts }: CountedTable): RawBuilder<number> {
  const sizes = texts.map((text) => sql`coalesce(octet_length(${sql.ref(text)}), 0)`)
  return sql<number>`${sql.join([sql.lit(ROW_BYTES), ...sizes], sql` + `)}`
}
