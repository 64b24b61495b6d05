import { type SqlBool, sql } from 'kysely'
import { text } from '../contract/declarations/kinds.ts'
import type { Noun } from '../contract/declarations/noun.ts'
import type { Context } from './context.ts'
import type { FilterOf } from './filters.ts'
import type { Select } from './page.ts'
import { anyTable } from './records.ts'

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
