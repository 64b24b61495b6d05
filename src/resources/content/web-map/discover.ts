import { createRequire } from 'node:module'
import type { getDomain } from 'tldts'
import { NoAnswerError, type WebClient } from '../../../providers/web/client.ts'
import { readLinks } from './links.ts'
import { MAX_LOCATIONS, readSitemap } from './sitemap.ts'
import { Visit } from './visit.ts'
import { MAX_URL } from './web-map.ts'

const require = createRequire(import.meta.url)
/** The package is loaded when a site is first mapped, because it contains the large list of public suffixes. */
let find: typeof getDomain | undefined

interface ParsedRobots {
  getSitemaps(): string[]
  /** Returns undefined for a URL of another origin. */
  isAllowed(url: string, agent: string): boolean | undefined
}

/** The name of this service's crawler in robots.txt. */
const AGENT = 'Shopwright'
/** The maximum size of robots.txt in bytes; RFC 9309 asks for at least 500 KiB. */
const MAX_ROBOTS_BYTES = 512_000
/** The maximum product of the lengths of robots.txt and a URL, because matching may take as many steps. */
const MAX_ROBOTS_STEPS = 100_000_000

interface Robots {
  sitemaps: string[]
  allows(url: URL): boolean
}

const NO_RULES: Robots = { sitemaps: [], allows: () => true }

class FoundUrls {
  readonly #entry: URL
  readonly #limit: number
  readonly #urls = new Set<string>()

  constructor(entry: URL, limit: number) {
    this.#entry = entry
    this.#limit = limit
  }

  get isFull(): boolean {
    return this.#urls.size >= this.#limit
  }

  get urls(): string[] {
    return [...this.#urls]
  }

  /** Adds the URL of a page. Ignores URLs of other sites. A relative URL is resolved against `base`. */
  add(given: string, base: URL): void {
    if (this.isFull || given.length > MAX_URL || !URL.canParse(given, base.href)) return
    const url = new URL(given, base.href)
    url.hash = ''
    if (isPage(url) && url.href.length <= MAX_URL && isSameSite(url, this.#entry)) this.#urls.add(url.href)
  }
}

const MAX_SITEMAPS = 50

interface Crawl {
  entry: URL
  visit: Visit
  robots: Robots
  found: FoundUrls
}

/**
 * Returns the URLs that the sitemaps list, the entry page and its links. Rejects with AddressRefusedError, or with NoAnswerError
 * if it finds none.
 */
export async function discover(
  client: WebClient,
  entry: URL,
  { limit, userAgent }: { limit: number; userAgent: string },
): Promise<string[]> {
  const visit = new Visit(client, userAgent)
  const robots = await robotsOf(visit, entry)
  const site: Crawl = { entry, visit, robots, found: new FoundUrls(entry, limit) }
  await followSitemaps(site)
  if (!site.found.isFull) await readEntry(site)
  return site.found.urls
}

/** Reads a robots.txt (RFC 9309). Without that file, everything is allowed. Rejects with NoAnswerError if the server fails. */
async function robotsOf(visit: Visit, { origin }: URL): Promise<Robots> {
  const place = new URL('/robots.txt', origin)
  const { status, body } = await visit.fetch(place, { maxBytes: MAX_ROBOTS_BYTES })
  if (status >= 500) throw new NoAnswerError(`${place.href} answered ${status}, so the site must not be read.`)
  if (status < 200 || status > 299) return NO_RULES
  const text = new TextDecoder().decode(body)
  // The package's types declare a default export that does not exist.
  const parse: (url: string, text: string) => ParsedRobots = require('robots-parser')
  const rules = parse(place.href, text)
  return {
    sitemaps: rules.getSitemaps(),
    allows: ({ href }) => text.length * href.length <= MAX_ROBOTS_STEPS && rules.isAllowed(href, AGENT) !== false,
  }
}

/** Reads /sitemap.xml, the sitemaps that robots.txt names, and those to which these refer. Skips unreadable ones. */
async function followSitemaps({ entry, visit, robots, found }: Crawl): Promise<void> {
  const usual = new URL('/sitemap.xml', entry.origin)
  const named = robots.sitemaps.flatMap((given) => sitemapAt(given, entry) ?? [])
  const waiting = new Set([...named, ...(robots.allows(usual) ? [usual.href] : [])])
  let left = MAX_LOCATIONS
  let read = 0
  // The loop also visits URLs that are added while it runs, each of them once.
  for (const address of waiting) {
    if (found.isFull || visit.isOver || left <= 0 || ++read > MAX_SITEMAPS) return
    const body = await sitemapBody(visit, new URL(address), entry)
    if (!body) continue
    await readSitemap(body, {
      onPage(location) {
        found.add(location, new URL(address))
        return --left > 0 && !found.isFull
      },
      onSitemap(location) {
        const next = sitemapAt(location, entry)
        if (next !== null && waiting.size < MAX_SITEMAPS) waiting.add(next)
        return --left > 0
      },
    })
  }
}

/** Returns the URL of a sitemap, or null for one of another site, which must not be requested. */
function sitemapAt(given: string, entry: URL): string | null {
  if (!URL.canParse(given, entry.href)) return null
  const url = new URL(given, entry.href)
  return isSameSite(url, entry) ? url.href : null
}

async function sitemapBody(visit: Visit, address: URL, entry: URL): Promise<Uint8Array | null> {
  try {
    const { status, body } = await visit.fetch(address, { follows: (url) => isSameSite(url, entry) })
    return status === 200 ? body : null
  } catch {
    // An unreadable sitemap must not prevent the others from being read.
    return null
  }
}

/** Reads the entry page. Ignores errors if the sitemaps contained URLs. */
async function readEntry(site: Crawl): Promise<void> {
  try {
    await readPage(site)
  } catch (error) {
    if (site.found.urls.length === 0) throw error
  }
}

async function readPage({ entry, visit, robots, found }: Crawl): Promise<void> {
  const known = new Map([[entry.origin, robots]])
  const mayFetch = async (url: URL) => {
    const rules = known.get(url.origin) ?? (await robotsOf(visit, url))
    known.set(url.origin, rules)
    return rules.allows(url)
  }
  const follows = (url: URL) => isSameSite(url, entry)
  const { url, status, mediaType, body } = await visit.fetch(entry, { follows, mayFetch })
  if (status < 200 || status > 299) throw new NoAnswerError(`It answered ${status}.`)
  found.add(url.href, url)
  if (mediaType !== '' && !mediaType.includes('html')) return
  await readLinks(body, url, (href, base) => {
    found.add(href, base)
    return !found.isFull
  })
}

function isPage({ protocol, username, password }: URL): boolean {
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}

/** Returns whether two URLs have the same registered domain; their hosts may differ. */
export function isSameSite(one: URL, other: URL): boolean {
  return siteOf(one) === siteOf(other)
}

/** Returns the registered domain, such as `example.co.uk` for `blog.example.co.uk`. IP addresses and local names stay unchanged. */
function siteOf({ hostname }: URL): string {
  find ??= (require('tldts') as { getDomain: typeof getDomain }).getDomain
  return find(hostname, { allowPrivateDomains: true }) ?? hostname
}
