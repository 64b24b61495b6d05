import { type RawBuilder, sql } from 'kysely'
import type { Noun } from '../../contract/declarations/noun.ts'
import type { Context } from '../context.ts'
import { type Asked, after, readAsked } from './asked.ts'

/** The maximum number of entries read per word, and of words, to find rows that contain the words anywhere. */
const COMPARED = 4_000
const COMPARED_WORDS = 4
/** The number of entries read for each wanted row, because a row can have several entries with the same beginning. */
const ENTRIES_PER_ROW = 3

/** The found ids by the name of their noun, best matches first. */
export type FoundIds = Map<string, string[]>

type FoundRow = { kind: string; id: string }

/**
 * Finds rows with the words in sequence and, if these are too few, rows with the words anywhere. The entries of each noun are a separate
 * range that is read only as far as needed, so the number of other rows does not matter.
 */
export async function idsByWords(
  context: Context,
  nouns: readonly Noun[],
  asked: Asked,
  most: number,
): Promise<FoundIds> {
  const found: FoundIds = new Map(nouns.map(({ name }) => [name, []]))
  if (nouns.length === 0) return found
  await gather(
    context,
    found,
    most,
    nouns.map((noun) => inRow(context, noun, asked, most)),
  )
  if (asked.words.length === 1) return found
  const short = nouns.filter(({ name }) => (found.get(name) ?? []).length < most)
  await gather(
    context,
    found,
    most,
    short.map((noun) => anywhere(context, noun, asked, most)),
  )
  return found
}

/** Returns the ids of at most `most` rows of a noun that match the typed text, as the search over everything would. */
export async function idsFound(context: Context, noun: Noun, typed: string, most: number): Promise<string[]> {
  const asked = readAsked(typed)
  if (asked.words.length === 0) return []
  return (await idsByWords(context, [noun], asked, most)).get(noun.name) ?? []
}

async function gather({ db }: Context, found: FoundIds, most: number, queries: RawBuilder<FoundRow>[]): Promise<void> {
  if (queries.length === 0) return
  const { rows } = await sql<FoundRow>`${sql.join(queries, sql` union all `)}`.execute(db)
  for (const { kind, id } of rows) {
    const ids = found.get(kind)
    if (ids && ids.length < most && !ids.includes(id)) ids.push(id)
  }
}

function inRow(context: Context, { name }: Noun, { phrase }: Asked, most: number): RawBuilder<FoundRow> {
  const range = entries(context, name, phrase, most * ENTRIES_PER_ROW)
  return sql<FoundRow>`select ${sql.lit(name)} as kind, id from (${range}) as ${sql.id(`row_${name}`)}`
}

function anywhere(context: Context, { name }: Noun, { words }: Asked, most: number): RawBuilder<FoundRow> {
  const each = words
    .slice(0, COMPARED_WORDS)
    .map((word, at) => sql`select id from (${entries(context, name, word, COMPARED)}) as ${sql.id(`word_${at}`)}`)
  return sql<FoundRow>`select ${sql.lit(name)} as kind, id from (
    select id from (${sql.join(each, sql` intersect `)}) as every_word limit ${sql.lit(most)}
  ) as ${sql.id(`any_${name}`)}`
}

function entries({ accountId }: Context, kind: string, beginning: string, most: number): RawBuilder<{ id: string }> {
  return sql`select id, entry from search_entries
    where account_id = ${accountId} and kind = ${kind} and entry >= ${beginning} and entry < ${after(beginning)}
    order by entry limit ${sql.lit(most)}`
}
