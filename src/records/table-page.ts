import { sql } from 'kysely'
import type { Context } from './context.ts'

type Values = Record<string, unknown>

/**
 * The rows of any table of the account, in the order of columns that tell them apart, after the given row: for reading all of
 * a table in pages. The columns are texts.
 */
export async function rowsAfter(
  { db, accountId }: Pick<Context, 'db' | 'accountId'>,
  { table, key }: { table: string; key: readonly string[] },
  after: Values | null,
  limit: number,
): Promise<Values[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const beyond = after ? sql`and (${columns}) > (${sql.join(key.map((column) => sql`${after[column]}`))})` : sql``
  const { rows } = await sql<Values>`
    select * from ${sql.table(table)} where account_id = ${accountId} ${beyond}
    order by ${columns} limit ${sql.lit(limit)}`.execute(db)
  return rows
}
