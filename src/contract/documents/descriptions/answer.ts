import { TYPE_KEY } from './type-word.ts'

/** A part of the text; parts with equal keys appear once. */
export interface TextPart {
  key: string
  text: string
  /** Whether the text uses type abbreviations, so that the key that explains them must be included. */
  needsKey?: boolean
}

/** Joins the parts, each once, and puts the key above them if one needs it and the program has not seen it yet. */
export function together(parts: readonly TextPart[], { again = false } = {}): string {
  const once = [...new Map(parts.map((part) => [part.key, part])).values()]
  const key = !again && once.some(({ needsKey }) => needsKey) ? [TYPE_KEY] : []
  return [...key, ...once.map(({ text }) => text)].join('\n')
}
