import { PostgresAdapter, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Noun } from '../../contract/declarations/noun.ts'
import { containing } from '../containing.ts'
import type { Context } from '../context.ts'
import { isAscii, transliterate } from '../transliterate.ts'

/** Returns the text that a list's `query` searches: the searchable fields in lower case, followed by their ASCII form if it differs. */
export function searchTextOf({ searchable }: Pick<Noun, 'searchable'>, row: Record<string, unknown>): string {
  const shown = searchable.map((name) => String(row[name] ?? '').toLowerCase()).join('\n')
  return [shown, ...plainOf(shown)].join('\n')
}

/** Returns the condition that the text of a row contains what was typed. On SQLite, `instr` takes three quarters of the time of `like`. */
export function hasText({ db }: Pick<Context, 'db'>, typed: string): RawBuilder<SqlBool> {
  const lower = typed.toLowerCase()
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const has = (words: string) => (isPostgres ? containing('search_text', words) : sql`instr(search_text, ${words}) > 0`)
  return sql<SqlBool>`(${sql.join([lower, ...plainOf(lower)].map(has), sql` or `)})`
}

function plainOf(text: string): string[] {
  if (isAscii(text)) return []
  const plain = transliterate(text).toLowerCase()
  return plain.trim() === '' ? [] : [plain]
}
