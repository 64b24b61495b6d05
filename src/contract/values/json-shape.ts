/** Bounds of a JSON text besides its length: how many members its arrays and objects have together, and how deep they nest. */
export interface JsonBounds {
  members: number
  depth: number
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
/** `[` and `{`, and what ends them, differ in the bit 0x20 alone. */
const OPENING = 0x5b
const CLOSING = 0x5d
const CASE = 0x20

/**
 * Which bound a JSON text is over, or null. One pass over its characters, before anything is parsed: what is over a bound
 * must not cost more than that. Of a text that is no JSON it says nothing of use, and parsing refuses it.
 */
export function overBounds(text: string, { members, depth }: JsonBounds): keyof JsonBounds | null {
  let found = 0
  let open = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) at = endOfString(text, at + 1)
    else if (character === COMMA) found += 1
    else if ((character & ~CASE) === OPENING) {
      found += 1
      open += 1
    } else if ((character & ~CASE) === CLOSING) open -= 1
    if (found > members) return 'members'
    if (open > depth) return 'depth'
  }
  return null
}

/** Where a string ends that begins at `start`, its quote not counted. */
function endOfString(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) return at
    if (character === BACKSLASH) at += 1
  }
  return text.length
}
