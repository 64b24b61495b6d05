import { type RawBuilder, sql } from 'kysely'
import type { Noun } from '../../contract/declarations/noun.ts'
import type { Context } from '../context.ts'
import { type Asked, after, readAsked } from './asked.ts'

/** Entries of one word of several that are compared with those of the others, where no row has them one after the other. */
const COMPARED = 4_000
/** Words that are compared so. */
const COMPARED_WORDS = 4
/** A row can have several entries that begin alike. */
const ENTRIES_PER_ROW = 3

/** Ids by the names of their nouns, best first. */
export type FoundIds = Map<string, string[]>

type FoundRow = { kind: string; id: string }

/**
 * The rows that have the words one after the other, and where these are too few, those that have them anywhere. Each kind has a
 * range of its own, which is read as far as it is needed: what others have, and how much, makes no difference.
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

/** The rows of one noun that have what somebody typed, as in the search over everything; at most `most`. */
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
