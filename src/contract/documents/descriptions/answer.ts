import { TYPE_KEY } from './type-word.ts'

/** A part of a text. Of parts with the same key, only one appears. */
export interface TextPart {
  key: string
  text: string
  /** Whether the text uses type abbreviations that the legend must explain. */
  needsKey?: boolean
}

/** Joins the parts without repetitions, below the legend of types if needed. `again` says that the program has seen the legend. */
export function together(parts: readonly TextPart[], { again = false } = {}): string {
  const once = [...new Map(parts.map((part) => [part.key, part])).values()]
  const key = !again && once.some(({ needsKey }) => needsKey) ? [TYPE_KEY] : []
  return [...key, ...once.map(({ text }) => text)].join('\n')
}
