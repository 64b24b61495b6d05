import { KEY_PREFIX, typeKey } from './type-word.ts'

/** A part of a text. Of parts with the same key, only one appears. */
export interface TextPart {
  key: string
  text: string
  /** Whether the text uses type abbreviations that the legend must explain. */
  needsKey?: boolean
}

/** Parts that only lead to others, so nobody asks for them by name. */
const LEADING = /^(?:Find|Or|More|operations of)\b/

/**
 * Joins the parts without those that `said` already has, below the legend of the types that they use, and adds what they say to `said`. A last
 * line names what is left out.
 */
export function together(parts: readonly TextPart[], said: Set<string>): string {
  const once = [...new Map(parts.map((part) => [part.key, part])).values()]
  const fresh = once.filter(({ key }) => !said.has(key))
  const before = once.filter((part) => !fresh.includes(part) && !LEADING.test(part.key)).map(({ key }) => key)
  for (const { key } of fresh) said.add(key)
  const typed = fresh.filter(({ needsKey }) => needsKey).map(({ text }) => text)
  const legend = typed.length > 0 ? typeKey(typed.join('\n')).filter((entry) => !said.has(entry)) : []
  for (const entry of legend) said.add(entry)
  return [
    ...(legend.length > 0 ? [`${KEY_PREFIX}${legend.join('; ')}`] : []),
    ...fresh.map(({ text }) => text),
    ...(before.length > 0 ? [`Described before in this program: ${before.join(', ')}`] : []),
  ].join('\n')
}
