import { sql } from 'kysely'
import type { InAccount } from './context.ts'

type Values = Record<string, unknown>

/** Returns a page of the account's rows of any table after the given row, sorted by the text columns of `key`, which identify rows. */
export async function rowsAfter(
  { db, accountId }: InAccount,
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
