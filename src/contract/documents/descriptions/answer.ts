import { KEY_PREFIX, typeKey } from './type-word.ts'

/** A part of a text. Of parts with the same key, only the longest appears. */
export interface TextPart {
  key: string
  text: string
  /** Whether the text uses type abbreviations that the legend must explain. */
  needsKey?: boolean
}

/** Endings of the keys of shortened parts. Such a part is omitted if the program gets or got a longer form of it. */
export const IN_SHORT = ' in short'
export const IN_A_LINE = ' in a line'
/** Matches the keys of parts that only point to others or shorten them. The line about omitted parts does not name them. */
const LEADING = /^(?:Find|Or|More|Line) |^[A-Z]+ \S+ in (?:short|a line)$/

/**
 * Joins the parts, except those whose keys are in `said`, below the legend of their types. Adds the new keys and legend entries
 * to `said`. A last line names the omitted parts.
 */
export function together(parts: readonly TextPart[], said: Set<string>): string {
  const once = [...Map.groupBy(parts, ({ key }) => key).values()].map((same) => same.reduce(longer))
  const told = new Set([...said, ...once.map(({ key }) => key)])
  const fresh = once.filter(({ key }) => !said.has(key) && !fullerKeys(key).some((fuller) => told.has(fuller)))
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

function fullerKeys(key: string): string[] {
  if (key.endsWith(IN_SHORT)) return [key.slice(0, -IN_SHORT.length)]
  const named = key.slice(0, -IN_A_LINE.length)
  return key.endsWith(IN_A_LINE) ? [named, `${named}${IN_SHORT}`] : []
}

function longer(one: TextPart, other: TextPart): TextPart {
  return other.text.length > one.text.length ? other : one
}
