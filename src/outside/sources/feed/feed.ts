import { createHash } from 'node:crypto'
import { integer, webAddress } from '../../../contract/declarations/kinds.ts'
import { cut, timestampOf } from '../../../contract/values/values.ts'
import { AddressRefusedError } from '../../web/client.ts'
import { type Poll, type PolledProvider, type SourceEvent, SourceFailedError } from '../provider.ts'
import { fetchFeed, type Validators } from './fetch-feed.ts'
import { type Feed, type FeedItem, readFeed } from './read-feed.ts'

const EVENT = 'new_item'
const MIN_MINUTES = 5
const DEFAULT_MINUTES = 15
const DAY_MINUTES = 24 * 60
/** Events of one poll. The other new items wait for the next one. */
const MOST_EVENTS = 20
/** Items that are remembered: all of the feed, and those that were in it lately. */
const MOST_KNOWN = 1_000
const MAX_TITLE = 500
const MAX_LINK = 2_000

/** What the next poll knows of a feed. */
interface FeedMemory extends Validators {
  /** Fingerprints of the items, the newest first. */
  seen: string[]
}

/** Events for the new items of a feed. */
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
    try {
      web.checkForm(String(url))
      return {}
    } catch (error) {
      if (error instanceof AddressRefusedError) return { url: error.message }
      throw error
    }
  },
  intervalSeconds: ({ interval_minutes }) => Number(interval_minutes) * 60,
  async poll({ config, memory, web, signal }: Poll) {
    const last = memory === null ? null : (JSON.parse(memory) as FeedMemory)
    const fetched = await fetchFeed(web, String(config.url), { known: last ?? NOTHING_KNOWN, signal })
    if (fetched === null) return { events: [], memory: asBefore(memory) }
    const feed = await readFeed(fetched.body, fetched.contentType)
    const { next, left, seen } = compare(feed.items, last?.seen ?? null)
    // While items are left over, the feed must come again although it has not changed.
    const validators = left > 0 ? { etag: null, lastModified: null } : fetched.validators
    const events = next.map((item) => eventOf(item, feed, fetched.url))
    return { events, memory: JSON.stringify({ ...validators, seen } satisfies FeedMemory) }
  },
}

const NOTHING_KNOWN: FeedMemory = { etag: null, lastModified: null, seen: [] }

/** A server that says that nothing has changed, although nothing is known of its feed, has no feed to show. */
function asBefore(memory: string | null): string {
  if (memory === null) throw new SourceFailedError('The address answered 304.')
  return memory
}

/** Which items come next, the oldest first, how many are left over, and what is seen then. `seen` is null at first. */
function compare(items: FeedItem[], seen: string[] | null) {
  const present = new Map(items.map((item) => [fingerprint(item), item]))
  const known = new Set(seen ?? present.keys())
  // Feeds begin with their newest item.
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

/** By the item's id, or its link; by its words where it has neither. */
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

/** The dates of RSS (RFC 822) and of Atom (RFC 3339); null for anything else. */
function momentOf(written: string | undefined): string | null {
  const moment = new Date(written ?? '')
  const year = moment.getUTCFullYear()
  return year >= 1 && year <= 9_999 ? timestampOf(moment) : null
}
