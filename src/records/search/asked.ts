import { MAX_ENTRY } from './entries.ts'
import { foldedWords } from './fold.ts'

/** Characters of a search that are read, and words of it. */
const READ = 200
const MOST_WORDS = 8

/** An id, or its beginning with some of what comes after the underscore. */
const ID = /^([a-z]+[0-9]*)_([0-9a-hjkmnp-tv-z]{4,26})$/
const ID_LENGTH = 26

/** What somebody looks for. */
export interface Asked {
  /** As it was typed, in lower case: what is exactly this comes first. */
  exact: string
  /** Its words; the last may have been begun only. */
  words: string[]
  /** Its words in a row, as entries have them. */
  phrase: string
  /** The first and the last id that begin as it does; null where it is no id. */
  ids: { prefix: string; first: string; last: string } | null
}

export function readAsked(query: string): Asked {
  const exact = query.slice(0, READ).trim().toLowerCase()
  const words = foldedWords(exact).slice(0, MOST_WORDS)
  return { exact, words, phrase: words.join(' ').slice(0, MAX_ENTRY), ids: idsOf(exact) }
}

function idsOf(exact: string): Asked['ids'] {
  const [, prefix, suffix] = ID.exec(exact) ?? []
  if (prefix === undefined || suffix === undefined) return null
  const filled = (digit: string) => `${prefix}_${suffix.padEnd(ID_LENGTH, digit)}`
  return { prefix, first: filled('0'), last: filled('z') }
}

/** The texts that begin with one: from it up to this, which is not among them. Entries have letters, digits and blanks alone. */
export function after(beginning: string): string {
  return `${beginning}{`
}
