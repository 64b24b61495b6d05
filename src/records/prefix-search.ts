import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from './context.ts'
import { PARTIAL_INDEX } from './page.ts'
import { anyTable } from './records.ts'
import type { AccountTable } from './rows-of.ts'

/** The last code point, which sorts after every other character in the byte order of both engines. */
const LAST = '\u{10FFFF}'

/** Returns the condition that a text begins with `words`, ignoring ASCII case; it is one range of an index over `lower(column)`. */
export function startsWith(column: string, words: string): RawBuilder<SqlBool> {
  const [shown, from] = [prefixKey(column), sql`lower(${words})`]
  return sql<SqlBool>`(${PARTIAL_INDEX} and ${shown} >= ${from} and ${shown} < ${from} || ${LAST})`
}

export function prefixKey(column: string): RawBuilder<unknown> {
  return sql`lower(${sql.ref(column)})`
}

interface PrefixSearch {
  table: AccountTable
  column: string
  words: string
  most: number
}

/** Returns the ids of the first rows whose text begins with `words`, in the order of that text. */
export async function idsStarting(context: Context, { table, column, words, most }: PrefixSearch): Promise<string[]> {
  const rows = anyTable(context).selectFrom(String(table)).select('id').where('account_id', '=', context.accountId)
  const first = rows.where(startsWith(column, words)).orderBy(prefixKey(column)).limit(sql.lit(most))
  return (await first.execute()).map(({ id }) => String(id))
}
