import { durationInWords } from '../../../words/durations.ts'
import { bytesInWords } from '../../../words/sizes.ts'
import { AddressRefusedError, NoAnswerError, type WebAnswer, type WebClient } from '../../web/client.ts'
import { SourceFailedError } from '../provider.ts'

/** The time for the whole download, redirects included. */
const FETCH_MS = 20_000
const MAX_BYTES = 2_000_000
const MOST_REDIRECTS = 5
const REDIRECTS = [301, 302, 303, 307, 308]

/** What tells a server which state of its feed is known here (RFC 9110, section 13.1). */
export interface Validators {
  etag: string | null
  lastModified: string | null
}

interface Fetched {
  /** Where it came from, after redirects. */
  url: string
  body: Uint8Array
  contentType: string
  validators: Validators
}

/**
 * Fetches a feed, or null when it is as it was. Each redirect is checked like the first address. Rejects with
 * AddressRefusedError, NoAnswerError or SourceFailedError.
 */
export async function fetchFeed(
  web: WebClient,
  first: string,
  { known, signal }: { known: Validators; signal: AbortSignal },
): Promise<Fetched | null> {
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

const FEED_HEADERS = {
  accept: 'application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1',
  'accept-encoding': 'identity',
  'user-agent': 'commerce-feeds/1',
}

function conditions({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag !== null && { 'if-none-match': etag }),
    ...(lastModified !== null && { 'if-modified-since': lastModified }),
  }
}

function contentOf({ status, headers, body }: WebAnswer): Omit<Fetched, 'url'> {
  if (status !== 200) throw new SourceFailedError(`The address answered ${status}.`)
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw new SourceFailedError(`The feed is sent encoded with ${encoding.slice(0, 50)}.`)
  if (body.length > MAX_BYTES) throw new SourceFailedError(`The feed is larger than ${bytesInWords(MAX_BYTES)}.`)
  const validators = { etag: repeatable(headers.etag), lastModified: repeatable(headers['last-modified']) }
  return { body, contentType: headers['content-type'] ?? '', validators }
}

/** Only what can be sent back as it is. */
function repeatable(value: string | undefined): string | null {
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
