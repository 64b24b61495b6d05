import { isAscii, transliterate } from '../transliterate.ts'

/** Between letters it belongs to the word: O’Brien is found as obrien, and as o'brien. */
const APOSTROPHE = /(?<=\p{Letter})['’](?=\p{Letter})/gu

/** The words of a text as they are found: `Crème brûlée №7` is `creme`, `brulee` and `7`. */
export function foldedWords(text: string): string[] {
  const joined = text.replace(APOSTROPHE, '')
  const plain = isAscii(joined) ? joined : transliterate(joined)
  return plain.toLowerCase().match(/[a-z0-9]+/g) ?? []
}
