import type { z } from 'zod'
import { PlatformBusyError, PlatformRefusedError } from './provider.ts'

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

const MOST_WORDS = 300

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
