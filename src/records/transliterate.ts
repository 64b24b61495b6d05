import { createRequire } from 'node:module'
import type anyAscii from 'any-ascii'

const require = createRequire(import.meta.url)
let toAscii: typeof anyAscii | undefined
const ASCII = /^\p{ASCII}*$/u

/** Whether a text has nothing to transliterate. */
export function isAscii(text: string): boolean {
  return ASCII.test(text)
}

/** A text in the letters of ASCII, whatever its script: `Привет` → `Privet`, `日本語` → `Ri Ben Yu`. Symbols and emoji become blanks. */
export function transliterate(text: string): string {
  const words = text.normalize('NFC').replace(/[^\p{Letter}\p{Mark}\p{Number}\p{ASCII}]/gu, ' ')
  const plain = withoutLatinMarks(words)
  if (isAscii(plain)) return plain
  // The library's tables are large, and most names are in Latin letters: it is loaded with the first that is not.
  toAscii ??= (require('any-ascii') as { default: typeof anyAscii }).default
  // Chinese characters are syllables; without blanks between them nobody could read the result.
  return toAscii(words.replace(/\p{Script=Han}/gu, ' $& '))
}

/** `Crème brûlée` → `Creme brulee`. */
function withoutLatinMarks(text: string): string {
  return text.normalize('NFKD').replace(/(?<=\p{ASCII})\p{Mark}+/gu, '')
}
