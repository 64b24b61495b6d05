import { withoutMarker } from '../../../contract/values/agent-marker.ts'
import type { BuildOrder } from '../provider.ts'

/** What the page says of itself. */
export interface PageWords {
  title: string
  /** Null where nothing that is known could be said to visitors. */
  lead: string | null
}

/** Briefs that speak to whoever builds, and not to visitors. */
const INSTRUCTION =
  /^(please|build|make|create|design|write|generate|set up|i\b|i'd|we\b|my\b|our\b)|\b(website|web site|webpage|web page|site|landing page|homepage|home page)\b/i
const LONGEST_LEAD = 240

/**
 * A name that was made from the first words of the brief is no title for visitors: the page then has that of the shop. The
 * brief is shown as far as it reads like a line for visitors.
 */
export function wordsOf({ brief, shop }: Pick<BuildOrder, 'brief' | 'shop'>): PageWords {
  const prompt = withoutMarker(brief.prompt ?? '').replace(/\s+/g, ' ')
  const isMade = prompt.toLowerCase().startsWith(brief.name.toLowerCase())
  const sentence = firstSentence(prompt)
  const speaks = sentence !== '' && sentence.length <= LONGEST_LEAD && !INSTRUCTION.test(sentence)
  return { title: isMade ? shop.name : brief.name, lead: speaks ? sentence : shop.description?.trim() || null }
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text
}
