import { isAscii, transliterate } from '../transliterate.ts'

/** An apostrophe between letters is part of the word: O’Brien is found as obrien and as o'brien. */
const APOSTROPHE = /(?<=\p{Letter})['’](?=\p{Letter})/gu

/** Returns the words of a text in the form that is searched: `Crème brûlée №7` becomes `creme`, `brulee` and `7`. */
export function foldedWords(text: string): string[] {
  const joined = text.replace(APOSTROPHE, '')
  const plain = isAscii(joined) ? joined : transliterate(joined)
  return plain.toLowerCase().match(/[a-z0-9]+/g) ?? []
}
