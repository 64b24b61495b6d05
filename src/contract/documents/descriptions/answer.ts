import { TYPE_KEY } from './type-word.ts'

/** One part of an answer. Parts of the same key are given once. */
export interface Part {
  key: string
  text: string
  /** Whether its lines use the words of the key. */
  needsKey?: boolean
}

/** The parts of all answers in their order, each once, with the key above them where one needs it and it was not given before. */
export function together(parts: readonly Part[], { again = false } = {}): string {
  const once = [...new Map(parts.map((part) => [part.key, part])).values()]
  const key = !again && once.some(({ needsKey }) => needsKey) ? [TYPE_KEY] : []
  return [...key, ...once.map(({ text }) => text)].join('\n')
}
