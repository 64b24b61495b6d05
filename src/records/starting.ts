import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { text } from '../contract/declarations/kinds.ts'
import type { Noun } from '../contract/declarations/noun.ts'
import type { Context } from './context.ts'
import type { FilterOf } from './filters.ts'
import { PARTIAL_INDEX, type Select } from './page.ts'
import { anyTable } from './records.ts'
import type { AccountTable } from './rows-of.ts'

/** The last code point, which sorts after every other character in the byte order of both engines. */
const LAST = '\u{10FFFF}'

/** Returns the condition that a text begins with `words`, ignoring ASCII case; it is one range of an index over `lower(column)`. */
export function startsWith(column: string, words: string): RawBuilder<SqlBool> {
  const [shown, from] = [keyOf(column), sql`lower(${words})`]
  return sql<SqlBool>`(${PARTIAL_INDEX} and ${shown} >= ${from} and ${shown} < ${from} || ${LAST})`
}

export function keyOf(column: string): RawBuilder<unknown> {
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
  const first = rows.where(startsWith(column, words)).orderBy(keyOf(column)).limit(sql.lit(most))
  return (await first.execute()).map(({ id }) => String(id))
}

type Meant = readonly [column: string, values: readonly string[]]

/** Selects rows that match any of these columns. Reads the ids from each index first, because SQLite would read the whole list in order. */
function matchingAny(query: Select, table: string, { db, accountId }: Context, meant: readonly Meant[]): Select {
  const given = meant.filter(([, values]) => values.length > 0)
  if (given.length === 0) return query.where(sql<SqlBool>`1 = 0`)
  const each = given.map(([column, values]) =>
    anyTable({ db }).selectFrom(table).select('id').where('account_id', '=', accountId).where(column, 'in', values),
  )
  // SQLite does not allow parentheses around the queries of a union.
  const ids = each.map((one, place) => sql`select id from ${one} as ${sql.id(`meant_${place}`)}`)
  return query.where(sql<SqlBool>`id in (${sql.join(ids, sql` union `)})`)
}

/** Declares the filter of a search box, which also finds a row by its id; `find` converts other words to values of columns. */
export function words(
  { plural, isId }: Noun,
  description: string,
  find: (context: Context, words: string) => Promise<readonly Meant[]>,
): FilterOf<string> {
  return {
    parameter: text(description, { max: 200, example: 'ada@example.com' }),
    apply: async (query, value, context) => {
      const given = String(value).trim()
      return matchingAny(query, plural, context, isId(given) ? [['id', [given]]] : await find(context, given))
    },
  }
}
