import { TYPE_KEY } from './type-word.ts'

/** A part of the text; of parts with the same key, only one appears. */
export interface TextPart {
  key: string
  text: string
  /** Whether the text uses type words, so that the legend has to explain them. */
  needsKey?: boolean
}

/** Joins the parts, each once. Puts the legend of type words above them if a part needs it and the program has not received it yet. */
export function together(parts: readonly TextPart[], { again = false } = {}): string {
  const once = [...new Map(parts.map((part) => [part.key, part])).values()]
  const key = !again && once.some(({ needsKey }) => needsKey) ? [TYPE_KEY] : []
  return [...key, ...once.map(({ text }) => text)].join('\n')
}
