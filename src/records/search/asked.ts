import { MAX_ENTRY } from './entries.ts'
import { foldedWords } from './fold.ts'

/** The maximum numbers of characters and words that a search uses; the rest is ignored. */
const MAX_CHARACTERS = 200
const MOST_WORDS = 8

/** An id, or the beginning of one with at least four characters after the underscore. */
const ID = /^([a-z]+[0-9]*)_([0-9a-hjkmnp-tv-z]{4,26})$/
const ID_LENGTH = 26

export interface Asked {
  exact: string
  /** The words of the text; the last one may be incomplete. */
  words: string[]
  phrase: string
  /** The range of ids that begin with the text; null if the text does not look like an id. */
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

/** Returns the exclusive end of the entries with this beginning: `{` sorts after all letters, digits and spaces of entries. */
export function after(beginning: string): string {
  return `${beginning}{`
}
