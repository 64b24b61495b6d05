import { createHash } from 'node:crypto'
import { integer, webAddress } from '../../../contract/declarations/kinds.ts'
import { cut, timestampOf } from '../../../contract/values/values.ts'
import { durationInWords } from '../../../format/durations.ts'
import { bytesInWords } from '../../../format/sizes.ts'
import { AddressRefusedError, addressProblem, NoAnswerError, type WebAnswer, type WebClient } from '../../web/client.ts'
import { type Poll, type PolledProvider, type SourceEvent, SourceFailedError } from '../provider.ts'
import { type Feed, type FeedItem, readFeed } from './read-feed.ts'

/** The time limit of the whole download, including redirects. */
const FETCH_MS = 20_000
const MAX_BYTES = 2_000_000
const MOST_REDIRECTS = 5
const REDIRECTS = [301, 302, 303, 307, 308]

/** The validators of the last response that was read (RFC 9110, section 13.1). */
interface Validators {
  etag: string | null
  lastModified: string | null
}

interface FetchedFeed {
  /** The URL after redirects. */
  url: string
  body: Uint8Array
  contentType: string
  validators: Validators
}

const FEED_HEADERS = {
  accept: 'application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1',
  'accept-encoding': 'identity',
  'user-agent': 'commerce-feeds/1',
}

const EVENT = 'new_item'
const MIN_MINUTES = 5
const DEFAULT_MINUTES = 15
const DAY_MINUTES = 24 * 60
/** The maximum number of events per poll; further new items wait for the next poll. */
const MOST_EVENTS = 20
/** The maximum number of fingerprints to remember: those of all items in the feed and of items recently removed from it. */
const MOST_KNOWN = 1_000
const MAX_TITLE = 500
const MAX_LINK = 2_000

interface FeedMemory extends Validators {
  /** The fingerprints of items, the newest first. */
  seen: string[]
}

export const rss: PolledProvider = {
  kind: 'polled',
  provider: 'rss',
  name: 'RSS or Atom feed',
  description:
    'An event for each new item in a feed. Items that exist at the start create none. Each poll creates up to 20; the rest follow with later polls. While the feed cannot be read, polls become less frequent, down to once a day.',
  eventTypes: [
    {
      name: EVENT,
      description: 'An item was added. Its data is {id, title, url, summary, published_at, feed: {title, url}}.',
    },
  ],
  config: {
    url: webAddress('URL of the feed', 'https://blog.example/feed.xml').required(),
    interval_minutes: integer('Time between polls', {
      min: MIN_MINUTES,
      max: DAY_MINUTES,
      unit: 'minutes',
      example: DEFAULT_MINUTES,
    }).default(DEFAULT_MINUTES),
  },
  check({ url }, web): Record<string, string> {
    const problem = addressProblem(web, String(url))
    return problem === null ? {} : { url: problem }
  },
  intervalSeconds: ({ interval_minutes }) => Number(interval_minutes) * 60,
  async poll({ config, memory, web, signal }: Poll) {
    const last = memory === null ? null : (JSON.parse(memory) as FeedMemory)
    const fetched = await fetchFeed(web, String(config.url), { known: last ?? NOTHING_KNOWN, signal })
    if (fetched === null) return { events: [], memory: unchangedMemory(memory) }
    const feed = await readFeed(fetched.body, fetched.contentType)
    const { next, left, seen } = newItemsOf(feed.items, last?.seen ?? null)
    // While new items are left over, the next poll must fetch the feed even if it has not changed.
    const validators = left > 0 ? { etag: null, lastModified: null } : fetched.validators
    const events = next.map((item) => eventOf(item, feed, fetched.url))
    return { events, memory: JSON.stringify({ ...validators, seen } satisfies FeedMemory) }
  },
}

const NOTHING_KNOWN: FeedMemory = { etag: null, lastModified: null, seen: [] }

/** Throws for a 304 response to the first poll, which has sent no validators. */
function unchangedMemory(memory: string | null): string {
  if (memory === null) throw new SourceFailedError('The address answered 304.')
  return memory
}

/** `next` has the oldest item first, and `left` counts the new items after those. If `seen` is null, no item counts as new. */
function newItemsOf(items: FeedItem[], seen: string[] | null) {
  const present = new Map(items.map((item) => [fingerprint(item), item]))
  const known = new Set(seen ?? present.keys())
  // Feeds list the newest item first.
  const fresh = [...present.keys()].filter((key) => !known.has(key)).reverse()
  const left = new Set(fresh.slice(MOST_EVENTS))
  const shown = [...present.keys()].filter((key) => !left.has(key))
  const gone = (seen ?? []).filter((key) => !present.has(key))
  return {
    next: fresh.slice(0, MOST_EVENTS).map((key) => present.get(key)!),
    left: left.size,
    seen: [...shown, ...gone].slice(0, MOST_KNOWN),
  }
}

/** Identifies an item by its id or link, or else by its text. */
function fingerprint({ id, link, ...words }: FeedItem): string {
  const identity = id ?? link ?? JSON.stringify([words.title, words.summary, words.published])
  return createHash('sha256').update(identity).digest('base64url').slice(0, 22)
}

function eventOf({ id, title, link, summary, published }: FeedItem, feed: Feed, feedUrl: string): SourceEvent {
  const url = addressOf(link, feedUrl)
  return {
    type: EVENT,
    data: {
      id: cut(id ?? url ?? '', MAX_LINK) || null,
      title: cut(title ?? '', MAX_TITLE) || null,
      url,
      summary: summary ?? null,
      published_at: momentOf(published),
      feed: { title: cut(feed.title, MAX_TITLE) || null, url: cut(feedUrl, MAX_LINK) },
    },
  }
}

function addressOf(link: string | undefined, base: string): string | null {
  if (link === undefined || !URL.canParse(link, base)) return null
  const { protocol, href } = new URL(link, base)
  return ['http:', 'https:'].includes(protocol) && href.length <= MAX_LINK ? href : null
}

/** Parses a date of RSS (RFC 822) or Atom (RFC 3339); returns null for anything else. */
function momentOf(written: string | undefined): string | null {
  const moment = new Date(written ?? '')
  const year = moment.getUTCFullYear()
  return year >= 1 && year <= 9_999 ? timestampOf(moment) : null
}

/** Returns null if the feed has not changed. Rejects with AddressRefusedError, NoAnswerError or SourceFailedError. */
async function fetchFeed(
  web: WebClient,
  first: string,
  { known, signal }: { known: Validators; signal: AbortSignal },
): Promise<FetchedFeed | null> {
  const headers = { ...FEED_HEADERS, ...conditions(known) }
  const endsAt = performance.now() + FETCH_MS
  let url = first
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const timeoutMs = Math.ceil(endsAt - performance.now())
    if (timeoutMs <= 0) throw new NoAnswerError(`The feed was not complete within ${durationInWords(FETCH_MS / 1000)}.`)
    const request = { method: 'GET', headers, timeoutMs, maxBytes: MAX_BYTES + 1, signal }
    const answer = await web.fetch(url, request).catch((error: unknown) => {
      throw redirects > 0 && error instanceof AddressRefusedError ? badRedirect(error) : error
    })
    if (answer.status === 304) return null
    if (!REDIRECTS.includes(answer.status)) return { url, ...contentOf(answer) }
    url = targetOf(answer, url)
  }
  throw new SourceFailedError(`The address redirects more than ${MOST_REDIRECTS} times.`)
}

function conditions({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag !== null && { 'if-none-match': etag }),
    ...(lastModified !== null && { 'if-modified-since': lastModified }),
  }
}

function contentOf({ status, headers, body }: WebAnswer): Omit<FetchedFeed, 'url'> {
  if (status !== 200) throw new SourceFailedError(`The address answered ${status}.`)
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw new SourceFailedError(`The feed is sent encoded with ${encoding.slice(0, 50)}.`)
  if (body.length > MAX_BYTES) throw new SourceFailedError(`The feed is larger than ${bytesInWords(MAX_BYTES)}.`)
  const validators = { etag: sendable(headers.etag), lastModified: sendable(headers['last-modified']) }
  return { body, contentType: headers['content-type'] ?? '', validators }
}

/** Returns null for a value that cannot be sent back as a header. */
function sendable(value: string | undefined): string | null {
  return value !== undefined && /^[\x20-\x7e]{1,200}$/.test(value) ? value : null
}

function targetOf({ headers: { location } }: WebAnswer, from: string): string {
  if (location === undefined || !URL.canParse(location, from))
    throw new SourceFailedError('The address redirects without saying where to.')
  return new URL(location, from).href
}

function badRedirect({ message }: AddressRefusedError): SourceFailedError {
  return new SourceFailedError(`The address redirects to another, which ${message}.`)
}
