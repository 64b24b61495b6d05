import { isIP } from 'node:net'
import { ApiError, invalid } from '../../../contract/declarations/errors.ts'
import type { AnswerOf } from '../../../contract/declarations/noun.ts'
import { AddressRefusedError, addressProblem, NoAnswerError, type WebClient } from '../../../providers/web/client.ts'
import type { OutsideContext } from '../../../records/context.ts'
import { reserveCredits, returnCredits, settleCredits } from '../../company/account/credits.ts'
import { discover } from './discover.ts'
import { CATEGORIES, type Category, type WebMap } from './web-map.ts'

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i

/** Words in a path that decide its category; earlier categories take precedence. */
const CATEGORY_WORDS: [Category, readonly string[]][] = [
  [
    'legal',
    words('legal terms tos privacy imprint impressum cookie cookies gdpr refund refunds disclaimer policies policy'),
  ],
  ['blog', words('blog blogs news article articles post posts journal story stories magazine author')],
  [
    'products',
    words('product products shop store pricing prices collection collections catalog catalogue item items cart'),
  ],
  [
    'docs',
    words('doc docs documentation guide guides api reference manual help support faq faqs tutorial tutorials learn'),
  ],
  ['media', words('media image images img gallery photo photos video videos audio podcast podcasts assets uploads')],
]
const MEDIA = /\.(jpe?g|png|gif|svg|webp|avif|ico|mp[34]|webm|ogg|wav|mov|avi)$/
const DOCUMENT = /\.(pdf|docx?|epub|odt)$/
/** The paths of pages have no file extension or one of these. */
const PAGE = /(^|\/|\/[^/.]*|\.(x?html?|php|aspx?|jsp))$/
/** The maximum number of segments in a page's path. Longer paths without a category word are `other`. */
const PAGE_SEGMENTS = 2

const CREDITS = 1

interface MapCall {
  input: { url: string; max_urls: number }
}

/** The credit is reserved before the first request to the site, and returned if the map fails. */
export async function mapWeb(context: OutsideContext, { input }: MapCall): Promise<AnswerOf<typeof WebMap>> {
  const entry = entryOf(input.url, context.services.web.outside)
  const wanted = { credits: CREDITS, reason: 'web_map', reference: entry.host }
  const reservation = await context.transaction((part) => reserveCredits(part, wanted))
  const urls = await discover(context.services.web.outside, entry, {
    limit: input.max_urls,
    userAgent: `Shopwright (+${context.publicUrl})`,
  }).catch(async (error: unknown) => {
    await context.transaction((part) => returnCredits(part, reservation))
    throw refusalOf(error, entry)
  })
  await context.transaction((part) => settleCredits(part, reservation))
  return {
    url: entry.href,
    total_urls: urls.length,
    urls,
    categorized_urls: byCategory(urls),
    timestamp: context.now,
  }
}

function refusalOf(error: unknown, { href }: URL): unknown {
  if (error instanceof AddressRefusedError) return invalid({ url: [error.message] })
  if (!(error instanceof NoAnswerError)) return error
  return new ApiError('upstream_failed', `${href} could not be mapped. ${error.message} Nothing was charged.`)
}

/** Returns the categories in the order of `CATEGORIES`, without empty ones. */
export function byCategory(urls: readonly string[]): Partial<Record<Category, string[]>> {
  const grouped = Map.groupBy(urls, categoryOf)
  return Object.fromEntries(CATEGORIES.flatMap((name) => (grouped.has(name) ? [[name, grouped.get(name)!]] : [])))
}

/** The extension of a media file decides first, then the first path segment with a category word: `blog` for `/blog/our-products`. */
export function categoryOf(url: string): Category {
  const path = new URL(url).pathname.toLowerCase()
  if (MEDIA.test(path)) return 'media'
  const segments = path.split('/').filter(Boolean)
  for (const segment of segments) {
    const parts = segment.split(/[^a-z0-9]+/)
    const category = CATEGORY_WORDS.find(([, telling]) => parts.some((part) => telling.includes(part)))?.[0]
    if (category) return category
  }
  if (DOCUMENT.test(path)) return 'docs'
  return segments.length <= PAGE_SEGMENTS && PAGE.test(path) ? 'pages' : 'other'
}

function words(text: string): readonly string[] {
  return text.split(' ')
}

/** Adds https to a host name without a scheme. Throws a 422 for a forbidden address. */
export function entryOf(given: string, client: WebClient): URL {
  const address = SCHEME.test(given) ? given : `https://${given}`
  const problem = addressProblem(client, address)
  if (problem !== null) throw invalid({ url: [problem] })
  const entry = new URL(address)
  entry.hash = ''
  const host = entry.hostname.replace(/\.$/, '')
  if (!host.includes('.') && isIP(host.replace(/^\[|\]$/g, '')) === 0 && host !== 'localhost')
    throw invalid({ url: ['must name a public host, such as example.com'] })
  return entry
}
