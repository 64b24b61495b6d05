import { createRequire } from 'node:module'
import type { parse } from 'tldts'
import { lazy } from '../../../../runtime/lazy.ts'
import type { PlatformName } from './social-platform.ts'

const require = createRequire(import.meta.url)

/** The number of characters that X and Mastodon count for a link of any length. */
const LINK = 23
/** The characters that X counts as one: most Latin, Greek and Cyrillic ones. All others count as two (twitter-text, configuration 3). */
const LIGHT: readonly (readonly [first: number, last: number])[] = [
  [0, 4351],
  [8192, 8205],
  [8208, 8223],
  [8242, 8247],
]
const emoji = lazy(() => /^\p{RGI_Emoji}$/v)
/** Matches a link with or without a scheme. It must not be part of a word, a mention or a tag. */
const xLink = lazy(
  () =>
    /(?<![\p{L}\p{N}@＠$#＃_./-])(?:https?:\/\/)?((?:[\p{L}\p{N}](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?\.)+\p{L}{2,})(?::\d+)?(?:\/[\p{Script=Latin}\p{Script=Cyrillic}\d!*';:=+,.$/%#[\]\-_~&|@()]*)?(?:\?[\w!?*'();:&=+$/%#[\]\-.,~|@]*)?/giu,
)
const MASTODON_LINK = /https?:\/\/[^\s<>"]+[^\s<>".,;:!?'()\]}]/giu
/** Matches a mention with a server, because Mastodon counts `@ada@social.example` as `@ada`. */
const mastodonMention = lazy(
  () => /(?<![\p{L}\p{N}_/])(@[\p{L}\p{N}_]+(?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_])?)@[\p{L}\p{N}.-]+[\p{L}\p{N}]/giu,
)

const segmenter = lazy(() => new Intl.Segmenter('en', { granularity: 'grapheme' }))

const OWN_COUNTS: Partial<Record<PlatformName, (text: string, link: number) => number>> = {
  x: weighted,
  bluesky: graphemes,
  threads: (text) =>
    segmentsOf(text).reduce((sum, one) => sum + (emoji().test(one) ? Buffer.byteLength(one) : [...one].length), 0),
  youtube: (text) => Buffer.byteLength(text, 'utf8'),
  tiktok: (text) => text.length,
  mastodon: (text, link) => graphemes(text.replace(MASTODON_LINK, '-'.repeat(link)).replace(mastodonMention(), '$1')),
}

/**
 * Returns the number of characters of a text as the platform counts them. X: weighted, links as 23, emoji as 2
 * (docs.x.com, Counting characters). Bluesky: graphemes (app.bsky.feed.post). Mastodon: graphemes, links as 23, mentions without
 * their server (StatusLengthValidator). Threads: Unicode characters, emoji as their bytes in UTF-8 (Threads API, Posts). YouTube:
 * bytes of UTF-8 (Videos, snippet.description). TikTok: code units of UTF-16 (Direct Post). All others: Unicode characters. `link`
 * is the count for a link where a server defines its own.
 */
export function countCharacters(platform: PlatformName, text: string, link = LINK): number {
  const count = OWN_COUNTS[platform]
  return count ? count(text, link) : [...text].length
}

function graphemes(text: string): number {
  return segmentsOf(text).length
}

function segmentsOf(text: string): string[] {
  return [...segmenter().segment(text)].map(({ segment }) => segment)
}

function weighted(given: string, link: number): number {
  const text = given.normalize('NFC')
  let links = 0
  const rest = text.replace(xLink(), (found, host: string) => {
    if (!isDomain(host)) return found
    links++
    const end = (found.includes('(') ? /[.,;:!?'"]*$/ : /[.,;:!?'")]*$/).exec(found)?.[0] ?? ''
    return end
  })
  const weights = [...segmenter().segment(rest)].map(({ segment }) => (emoji().test(segment) ? 2 : weightOf(segment)))
  return weights.reduce((sum, weight) => sum + weight, links * link)
}

function weightOf(segment: string): number {
  const weights = [...segment].map((character) => {
    const code = character.codePointAt(0) ?? 0
    return LIGHT.some(([first, last]) => code >= first && code <= last) ? 1 : 2
  })
  return weights.reduce((sum, weight) => sum + weight, 0)
}

function isDomain(host: string): boolean {
  // The package contains the large list of public suffixes. It is loaded only when a post contains a host, which is rare.
  const { parse: read }: { parse: typeof parse } = require('tldts')
  const { isIcann, domain } = read(host)
  return isIcann === true && domain !== null
}
