/** Limits of a JSON text apart from its length: the total members of its arrays and objects, and the nesting depth. */
export interface JsonBounds {
  members: number
  depth: number
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
/** The codes of `[` and `]`. The codes of `{` and `}` differ from them only in bit 0x20. */
const OPENING = 0x5b
const CLOSING = 0x5d
const BRACE_BIT = 0x20

/**
 * Returns the limit that a JSON text exceeds, or null. Scans the characters once, before parsing, so that oversized bodies are never
 * parsed. The result for invalid JSON is meaningless; parsing rejects it later.
 */
export function overBounds(text: string, { members, depth }: JsonBounds): keyof JsonBounds | null {
  let found = 0
  let open = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) at = endOfString(text, at + 1)
    else if (character === COMMA) found += 1
    else if ((character & ~BRACE_BIT) === OPENING) {
      found += 1
      open += 1
    } else if ((character & ~BRACE_BIT) === CLOSING) open -= 1
    if (found > members) return 'members'
    if (open > depth) return 'depth'
  }
  return null
}

function endOfString(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) return at
    if (character === BACKSLASH) at += 1
  }
  return text.length
}
