/** Scripts that need U+200C and U+200D between letters, to separate or join them. */
const JOINING = ['Arab', 'Syrc', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh']
const IN_WORD = `(?<=[${JOINING.map((script) => `\\p{scx=${script}}`).join('')}])[\\u200c\\u200d]`
const IN_EMOJI = String.raw`(?<=\p{ExtPict}|\p{EMod}|\ufe0f)\u200d(?=\p{ExtPict})|(?<=\p{ExtPict})[\ufe0e\ufe0f]|\ufe0f(?=\u20e3)`
const HIDDEN = new RegExp(String.raw`(?!${IN_WORD}|${IN_EMOJI}|[\n\r\t])[\p{DI}\p{C}\p{Zl}\p{Zp}\u2800]`, 'gu')

const WORD = /[\p{L}\p{M}]+/gu
const LETTER = /\p{L}\p{M}*/gu
/** Scripts with letters that look like letters of another of these scripts. */
const ALIKE = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee'].map((name) => new RegExp(`^\\p{sc=${name}}`, 'u'))

/**
 * Replaces invisible characters with their codes, such as `⟨U+202E⟩`. Adds the code after a letter whose script differs from that
 * of the rest of the word and has similar letters, so that `pаypal` with a Cyrillic letter becomes `pа⟨U+0430⟩ypal`.
 */
export function showHidden(text: string): string {
  return text.replace(HIDDEN, codeOf).replace(WORD, markLookAlikes)
}

/** Returns a copy of a JSON value in which all strings, including keys, show their hidden characters. */
export function withHiddenShown<Value>(value: Value): Value
export function withHiddenShown(value: unknown): unknown {
  if (typeof value === 'string') return showHidden(value)
  if (Array.isArray(value)) return value.map(withHiddenShown)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [showHidden(key), withHiddenShown(one)]))
}

function markLookAlikes(word: string): string {
  const letters = word.match(LETTER) ?? []
  const counts = ALIKE.map((script) => letters.filter((letter) => script.test(letter)).length)
  if (counts.filter((count) => count > 0).length < 2) return word
  const others = ALIKE.filter((_, index) => index !== counts.indexOf(Math.max(...counts)))
  return word.replace(LETTER, (letter) =>
    others.some((script) => script.test(letter)) ? `${letter}${codeOf(letter)}` : letter,
  )
}

function codeOf(character: string): string {
  return `⟨${codePoint(character)}⟩`
}

/** Returns the code point of the first character of a text: `U+202E`. */
export function codePoint(text: string): string {
  return `U+${Number(text.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0')}`
}
