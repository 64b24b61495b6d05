import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Noun } from '../../contract/declarations/noun.ts'
import { containing } from '../containing.ts'
import { isAscii, transliterate } from '../transliterate.ts'

/** Returns the text that a list's `query` searches: the searchable fields in lower case, followed by their ASCII form if it differs. */
export function searchTextOf({ searchable }: Pick<Noun, 'searchable'>, row: Record<string, unknown>): string {
  const shown = searchable.map((name) => String(row[name] ?? '').toLowerCase()).join('\n')
  return [shown, ...plainOf(shown)].join('\n')
}

export function hasText(typed: string): RawBuilder<SqlBool> {
  const ways = [typed, ...plainOf(typed.toLowerCase())].map((words) => containing('search_text', words))
  return sql<SqlBool>`(${sql.join(ways, sql` or `)})`
}

function plainOf(text: string): string[] {
  if (isAscii(text)) return []
  const plain = transliterate(text).toLowerCase()
  return plain.trim() === '' ? [] : [plain]
}
