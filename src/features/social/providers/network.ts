import type { z } from 'zod'
import { DAY_MS } from '../../../contract/values/values.ts'
import { only, replacing } from '../../../errors.ts'
import type { DomainRecords } from '../../../providers/dns/provider.ts'
import { AddressRefusedError, type WebClient } from '../../../providers/web/client.ts'
import { type KnownPost, PlatformBusyError, PlatformRefusedError, type SocialProvider } from './provider.ts'

export interface NetworkParts {
  /** The HTTP client, which only connects to public addresses and limits time and size. */
  web: WebClient
  domains: Pick<DomainRecords, 'texts'>
  /** Returns 32 secret bytes of this service: the same purpose always gives the same bytes. */
  secretOf(purpose: string): Buffer
  /** The values of the settings that the network's entry lists; all required ones are present. */
  settings: Readonly<Record<string, string>>
  /** Returns the URL to use in place of a network's URL, such as `https://api.example.com`. Only tests return another one. */
  addressOf(address: string): string
}

/** The implementation of a network; its name and platforms are in its entry. */
type Network = Omit<SocialProvider, 'name' | 'platforms' | 'simulation'>

export interface NetworkEntry {
  /** The name, which is stored with each account. */
  name: string
  platforms: readonly string[]
  /** The required settings; empty if the network needs none. */
  settings: readonly string[]
  optional?: readonly string[]
  /** The steps, in order, with which the operator obtains the settings from the network. */
  steps: readonly string[]
  open(parts: NetworkParts): Network
}

const TIMEOUT_MS = 20_000
/** The extra time per megabyte that is sent. */
const TIMEOUT_MS_PER_MB = 1_000
const MOST_BYTES = 5_000_000

/**
 * Works like `fetch` but only connects to public addresses, because accounts name the servers. Rejects with a
 * PlatformRefusedError for other addresses.
 */
export function guardedFetch(web: WebClient, signal: AbortSignal): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const sent = await request.arrayBuffer()
    const asked = web.fetch(request.url, {
      method: request.method,
      headers: Object.fromEntries(request.headers),
      ...(sent.byteLength > 0 && { body: new Uint8Array(sent) }),
      timeoutMs: TIMEOUT_MS + Math.ceil(sent.byteLength / 1e6) * TIMEOUT_MS_PER_MB,
      maxBytes: MOST_BYTES,
      signal: AbortSignal.any([signal, request.signal]),
    })
    const refused = ({ message }: AddressRefusedError) => new PlatformRefusedError(`The address ${message}.`)
    const answer = await asked.catch(replacing(AddressRefusedError, refused))
    const isEmpty = answer.status === 204 || answer.status === 304
    return new Response(isEmpty ? null : Buffer.from(answer.body), { status: answer.status, headers: answer.headers })
  }
}

const DEFAULT_WAIT_MS = 60_000
/** Headers with the reset time of a limit: seconds since 1970 or from now, or a date. Some have a counterpart that ends in `remaining`. */
const RESETS = [
  'x-rate-limit-reset',
  'x-ratelimit-reset',
  'ratelimit-reset',
  'x-user-limit-24hour-reset',
  'x-app-limit-24hour-reset',
]
/** Smaller numbers in a reset header are seconds from now, all others seconds since 1970. */
const EARLIEST_MOMENT_S = 1_000_000_000

/** The maximum number of characters of a network's message. */
export const MOST_WORDS = 300
/** The allowed difference between the clocks of a network and of this service. */
export const MOST_SKEW_MS = 2 * 60 * 1000

export interface JsonRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  body?: Record<string, unknown> | FormData | undefined
  headers?: Record<string, string>
}

/** Returns a request with a bearer token and a JSON or form body. */
export function jsonRequest(token: string, { method = 'GET', body, headers }: JsonRequest): RequestInit {
  const isForm = body instanceof FormData
  const type = body && !isForm && { 'Content-Type': 'application/json' }
  return {
    method,
    headers: { Accept: 'application/json', Authorization: `Bearer ${token}`, ...type, ...headers },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  }
}

/** Returns the token of credentials. Throws a PlatformRefusedError if there is none. */
export function tokenIn(network: string, { access_token: token }: Record<string, string>): string {
  if (token) return token
  throw new PlatformRefusedError(`credentials need an access_token; open connect_url to allow access at ${network}`)
}

/** Parses JSON with a schema; null if it does not match. */
export function parsed<Shape extends z.ZodType>(shape: Shape, text: string): z.output<Shape> | null {
  try {
    return shape.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** Returns the message of an error response, which `read` extracts from its JSON. */
export function wordsIn(network: string, text: string, read: (json: unknown) => string | undefined): string {
  const unsaid = `${network} refused it without a reason`
  try {
    return read(JSON.parse(text))?.slice(0, MOST_WORDS) || unsaid
  } catch {
    return unsaid
  }
}

interface RefusalOptions {
  network: string
  words: string
  /** The wait after a rate limit if the response contains no reset time. */
  fallbackMs?: number
}

/** Returns the error for a failed response. Temporary failures, such as timeouts and errors of the network, are ordinary errors. */
export function refusalOf(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  { network, words, ...options }: RefusalOptions,
  refused = new PlatformRefusedError(words, { expired: status === 401 }),
): Error {
  const until = busyUntil(status, headers, options)
  if (until !== null) return new PlatformBusyError(words, until)
  if (status >= 500 || status === 408) return new Error(`${network} answered with status ${status}: ${words}`)
  return refused
}

/**
 * Returns the end of a network's rate limit, in milliseconds since 1970: by `Retry-After` (RFC 9110, 10.2.3), by the headers that
 * many networks use, or after `fallbackMs`. Returns null for any other response.
 */
export function busyUntil(
  status: number,
  headers: Headers,
  { now = Date.now(), fallbackMs = DEFAULT_WAIT_MS } = {},
): number | null {
  if (status !== 429 && status !== 503) return null
  const after = momentIn(headers.get('retry-after'), now)
  if (after !== null) return after
  if (status === 503) return null
  const spent = RESETS.filter((name) => Number(headers.get(name.replace('reset', 'remaining')) ?? 0) <= 0)
  const resets = spent.flatMap((name) => momentIn(headers.get(name), now) ?? [])
  return resets.length > 0 ? Math.max(...resets) : now + fallbackMs
}

function momentIn(value: string | null, now: number): number | null {
  if (value === null || value.trim() === '') return null
  if (!/^\d+(\.\d+)?$/.test(value)) {
    const date = Date.parse(value)
    return Number.isNaN(date) ? null : date
  }
  const seconds = Number(value)
  return seconds < EARLIEST_MOMENT_S ? now + seconds * 1000 : seconds * 1000
}

/** Returns the value, or `instead` if the promise rejects with an error that `isMeant`. */
export async function orElse<Value, Instead>(
  asked: Promise<Value>,
  instead: Instead,
  isMeant: (error: unknown) => boolean,
): Promise<Value | Instead> {
  return asked.catch((error: unknown) => {
    if (isMeant(error)) return instead
    throw error
  })
}

/** Returns the first comment, or null if the network refuses it: the post itself is published and must not be sent again. */
export function orNoComment<Comment>(asked: Promise<Comment>): Promise<Comment | null> {
  return asked.catch(only(PlatformRefusedError, () => null))
}

/** Returns whether the platform refused the request but still accepts the credentials. */
export function isRefusedAlone(error: unknown): boolean {
  return error instanceof PlatformRefusedError && !error.expired
}

/** The number of days after publication for which a post is in the rotation; the newest posts are read at any age. */
const READ_FOR_DAYS = 90

/**
 * Returns the posts to read in a sync, at most `most`, the newest first. Half of them are the newest; the other half rotates
 * among older ones of the last 90 days, so each of these is read less often as posts accumulate.
 */
export function postsInTurn(posts: readonly KnownPost[], now: string, most: number): KnownPost[] {
  const sorted = newestFirst(posts)
  const newest = sorted.slice(0, Math.ceil(most / 2))
  const oldest = new Date(Date.parse(now) - READ_FOR_DAYS * DAY_MS).toISOString()
  const older = sorted.slice(newest.length).filter(({ publishedAt }) => publishedAt >= oldest)
  const room = most - newest.length
  if (older.length <= room) return [...newest, ...older]
  const start = (Math.floor(Date.parse(now) / DAY_MS) * room) % older.length
  return [...newest, ...[...older, ...older].slice(start, start + room)]
}

export function newestFirst(posts: readonly KnownPost[]): KnownPost[] {
  return posts.toSorted((one, other) => other.publishedAt.localeCompare(one.publishedAt))
}
