import { createRequire } from 'node:module'
import type anyAscii from 'any-ascii'

const require = createRequire(import.meta.url)
let toAscii: typeof anyAscii | undefined
const ASCII = /^\p{ASCII}*$/u

export function isAscii(text: string): boolean {
  return ASCII.test(text)
}

/** Transliterates a text in any script to ASCII: `Привет` → `Privet`, `日本語` → `Ri Ben Yu`. Symbols and emoji become spaces. */
export function transliterate(text: string): string {
  const words = text.normalize('NFC').replace(/[^\p{Letter}\p{Mark}\p{Number}\p{ASCII}]/gu, ' ')
  const plain = withoutLatinMarks(words)
  if (isAscii(plain)) return plain
  // Most names are in Latin letters, so the library with its large tables is loaded only when it is needed.
  toAscii ??= (require('any-ascii') as { default: typeof anyAscii }).default
  // Each Chinese character is a syllable; without spaces between them the result would be unreadable.
  return toAscii(words.replace(/\p{Script=Han}/gu, ' $& '))
}

function withoutLatinMarks(text: string): string {
  return text.normalize('NFKD').replace(/(?<=\p{ASCII})\p{Mark}+/gu, '')
}
