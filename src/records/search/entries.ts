import type { Noun } from '../../contract/declarations/noun.ts'
import { insertSeveral, sendChange } from '../../database/compile-once.ts'
import type { SearchEntry } from '../../database/system-tables.ts'
import type { Context, InAccount } from '../context.ts'
import { foldedWords } from './fold.ts'

type Values = Record<string, unknown>

/** Limits on the characters and words of a field, and on the characters of an entry. People search for shorter texts. */
const MAX_TEXT = 200
const MAX_WORDS = 12
export const MAX_ENTRY = 60

/**
 * Returns the search entries of a row. Each field has an entry for each of its words, rotated to begin with that word, so that every
 * sequence of words is the beginning of an entry: `Ada Lovelace` is stored as `ada lovelace` and `lovelace ada`. An entry that is the
 * beginning of another one is dropped.
 */
function entriesOf({ foundBy }: Pick<Noun, 'foundBy'>, row: Values): string[] {
  const all = foundBy.flatMap((name) => (typeof row[name] === 'string' ? entriesOfText(row[name]) : []))
  const sorted = [...new Set(all)].sort()
  return sorted.filter((entry, at) => !sorted[at + 1]?.startsWith(entry))
}

function entriesOfText(text: string): string[] {
  const words = foldedWords(text.slice(0, MAX_TEXT)).slice(0, MAX_WORDS)
  // Nobody searches for only the end of an e-mail address, such as `com`.
  const starts = text.includes('@') && words.length > 2 ? words.slice(0, -1) : words
  const entries = starts.map((_, at) => [...words.slice(at), ...words.slice(0, at)].join(' ').slice(0, MAX_ENTRY))
  return [...entries, ...words.filter((word) => /^0+[1-9]\d*$/.test(word)).map((number) => number.replace(/^0+/, ''))]
}

export async function addEntries(account: InAccount, noun: Noun, row: Values & { id: string }): Promise<void> {
  if (noun.foundBy.length > 0) await insertEntries(account, entryRows(account, noun, row))
}

export async function changeEntries(
  account: InAccount,
  noun: Noun,
  before: Values & { id: string },
  after: Values,
): Promise<void> {
  const old = entriesOf(noun, before)
  const now = entriesOf(noun, after)
  await deleteEntries(account, noun, before.id, without(old, now))
  await insertEntries(account, entryRows(account, noun, { ...after, id: before.id }))
}

export async function removeEntries(account: InAccount, noun: Noun, row: Values & { id: string }): Promise<void> {
  await deleteEntries(account, noun, row.id, entriesOf(noun, row))
}

export function entryRows(
  { accountId }: Pick<Context, 'accountId'>,
  noun: Noun,
  row: Values & { id: string },
): SearchEntry[] {
  return entriesOf(noun, row).map((entry) => ({ account_id: accountId, kind: noun.name, entry, id: row.id }))
}

/** Inserts search entries and ignores those that are stored already. */
export async function insertEntries({ db }: Pick<Context, 'db'>, rows: SearchEntry[]): Promise<void> {
  const values = rows.map(({ account_id, kind, entry, id }) => ({ account_id, kind, entry, id }))
  await insertSeveral(db, 'search_entries', values, { taken: ['account_id', 'kind', 'entry', 'id'] })
}

async function deleteEntries({ db, accountId }: InAccount, noun: Noun, id: string, entries: string[]): Promise<void> {
  if (entries.length === 0) return
  const mine = db.deleteFrom('search_entries').where('account_id', '=', accountId).where('kind', '=', noun.name)
  await sendChange(db, mine.where('entry', 'in', entries).where('id', '=', id))
}

function without(these: string[], those: string[]): string[] {
  return these.filter((one) => !those.includes(one))
}
