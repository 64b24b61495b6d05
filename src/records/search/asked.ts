import { MAX_ENTRY } from './entries.ts'
import { foldedWords } from './fold.ts'

/** The maximum numbers of characters and words of a search that are used. */
const MAX_CHARACTERS = 200
const MOST_WORDS = 8

/** A complete id, or its beginning up to at least four characters after the underscore. */
const ID = /^([a-z]+[0-9]*)_([0-9a-hjkmnp-tv-z]{4,26})$/
const ID_LENGTH = 26

/** A parsed search. */
export interface Asked {
  /** The typed text in lower case; exact matches come first. */
  exact: string
  /** The words; the last one may be incomplete. */
  words: string[]
  /** The words joined as in search entries. */
  phrase: string
  /** The range of ids with the typed beginning; null if it does not look like an id. */
  ids: { prefix: string; first: string; last: string } | null
}

export function readAsked(query: string): Asked {
  const exact = query.slice(0, MAX_CHARACTERS).trim().toLowerCase()
  const words = foldedWords(exact).slice(0, MOST_WORDS)
  return { exact, words, phrase: words.join(' ').slice(0, MAX_ENTRY), ids: idsOf(exact) }
}

function idsOf(exact: string): Asked['ids'] {
  const [, prefix, suffix] = ID.exec(exact) ?? []
  if (prefix === undefined || suffix === undefined) return null
  const filled = (digit: string) => `${prefix}_${suffix.padEnd(ID_LENGTH, digit)}`
  return { prefix, first: filled('0'), last: filled('z') }
}

/** Returns the exclusive end of the entries with this beginning; they contain only letters, digits and blanks, all before `{`. */
export function after(beginning: string): string {
  return `${beginning}{`
}
