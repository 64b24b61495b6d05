import { withoutMarker } from '../../../../contract/values/agent-marker.ts'
import { sentenceCase } from '../../../../format/sentences.ts'
import type { BuildOrder } from '../provider.ts'

export interface PageWords {
  title: string
  /** The text below the title: the brief's first sentence if it addresses visitors, otherwise the shop's description; null without both. */
  lead: string | null
  /** Labeled statements in the brief, such as `Opening hours: Monday to Friday, 9 to 6`. */
  facts: { label: string; text: string }[]
  /** The other sentences of the brief that address visitors. */
  paragraphs: string[]
}

/** Matches sentences that address the builder of the page, not its visitors. */
const INSTRUCTION =
  /^(please|build|make|create|design|write|generate|set up|i\b|i'd|we\b|my\b|our\b)|\b(website|web site|webpage|web page|site|landing page|homepage|home page)\b/i
const LONGEST_LEAD = 240
/** Matches sentences about the page, which visitors should not see. */
const ABOUT_THE_PAGE =
  /^(please|build|make|create|design|write|generate|set up|use|show|add|include|put)\b|\b(website|web site|webpage|web page|site|landing page|homepage|home page)\b/i
const LABELED = /^([\p{L}][^:.!?\n]{1,58}):\s+(\S.*)$/u
/** Matches the request before a label, so that the label of `Show our opening hours: …` becomes `Opening hours`. */
const ASKING =
  /^(?:please\s+)?(?:(?:show|add|include|mention|list|put|state|use)\s+)?(?:(?:our|the|my|its|this|a|as)\s+)*/i
const HEADLINES = ['headline', 'title', 'heading']
const MOST_PARTS = 20
const LONGEST_PART = 600

/**
 * Returns the texts of the page. The title is a headline in the brief, if there is one. Otherwise it is the site's name or, if
 * the name only repeats the brief's first words, the shop's name.
 */
export function wordsOf({ brief, shop }: Pick<BuildOrder, 'brief' | 'shop'>): PageWords {
  const prompt = withoutMarker(brief.prompt ?? '').trim()
  const isMade = prompt.replace(/\s+/g, ' ').toLowerCase().startsWith(brief.name.toLowerCase())
  const [sentence = '', ...more] = sentencesOf(prompt)
  const speaks =
    sentence !== '' && sentence.length <= LONGEST_LEAD && !INSTRUCTION.test(sentence) && !LABELED.test(sentence)
  const labeled = sentencesOf(prompt).flatMap((one) => labeledIn(one) ?? [])
  const headline = labeled.find(({ label }) => HEADLINES.includes(label.toLowerCase()))
  const rest = speaks ? more : [sentence, ...more]
  return {
    title: headline ? unquoted(headline.text) : isMade ? shop.name : brief.name,
    lead: speaks ? sentence : shop.description?.trim() || null,
    facts: labeled.filter((one) => one !== headline).slice(0, MOST_PARTS),
    paragraphs: rest
      .filter((one) => one !== '' && !LABELED.test(one) && !ABOUT_THE_PAGE.test(one))
      .slice(0, MOST_PARTS),
  }
}

function labeledIn(sentence: string): { label: string; text: string } | null {
  const [, asked = '', text = ''] = LABELED.exec(sentence) ?? []
  const label = asked.replace(ASKING, '').trim()
  if (label === '' || text === '' || ABOUT_THE_PAGE.test(label)) return null
  return { label: sentenceCase(label), text }
}

/** Splits a text into lines and sentences. A full stop before a lower-case letter or a digit counts as part of an abbreviation. */
function sentencesOf(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => line.trim().split(/(?<=[.!?])\s+(?=["“„]?\p{Lu})/u))
    .map((one) =>
      one
        .replace(/^[-*•]\s+/, '')
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, LONGEST_PART),
    )
    .filter((one) => one !== '')
}

function unquoted(text: string): string {
  return text.replace(/^["“„]+|["”“.]+$/gu, '')
}
