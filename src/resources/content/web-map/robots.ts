import { createRequire } from 'node:module'
import { NoAnswerError } from '../../../providers/web/client.ts'
import type { Visit } from './visit.ts'

const require = createRequire(import.meta.url)

interface ParsedRobots {
  getSitemaps(): string[]
  /** Returns undefined for a URL of another origin. */
  isAllowed(url: string, agent: string): boolean | undefined
}

/** The name of this service's crawler in robots.txt. */
const AGENT = 'Shopwright'
/** The maximum size of robots.txt in bytes; RFC 9309 asks for at least 500 KiB. */
const MAX_BYTES = 512_000
/** The maximum product of the file's and a URL's lengths, because matching may take as many steps. */
const MAX_STEPS = 100_000_000

export interface Robots {
  sitemaps: string[]
  allows(url: URL): boolean
}

const NO_RULES: Robots = { sitemaps: [], allows: () => true }

/** Reads a robots.txt (RFC 9309). Without that file, everything is allowed. Rejects with NoAnswerError if the server fails. */
export async function robotsOf(visit: Visit, { origin }: URL): Promise<Robots> {
  const place = new URL('/robots.txt', origin)
  const { status, body } = await visit.fetch(place, { maxBytes: MAX_BYTES })
  if (status >= 500) throw new NoAnswerError(`${place.href} answered ${status}, so the site must not be read.`)
  if (status < 200 || status > 299) return NO_RULES
  const text = new TextDecoder().decode(body)
  // The package's types declare a default export that does not exist.
  const parse: (url: string, text: string) => ParsedRobots = require('robots-parser')
  const rules = parse(place.href, text)
  return {
    sitemaps: rules.getSitemaps(),
    allows: ({ href }) => text.length * href.length <= MAX_STEPS && rules.isAllowed(href, AGENT) !== false,
  }
}
