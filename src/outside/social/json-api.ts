import type { z } from 'zod'
import { PlatformBusyError, PlatformRefusedError } from './provider.ts'

const DEFAULT_WAIT_MS = 60_000
/** Headers that say when a limit ends: seconds since 1970 or from now, or a date. Each may have a fellow that ends in `remaining`. */
const RESETS = [
  'x-rate-limit-reset',
  'x-ratelimit-reset',
  'ratelimit-reset',
  'x-user-limit-24hour-reset',
  'x-app-limit-24hour-reset',
]
/** Below it, a number is seconds from now; from it on, seconds since 1970. */
const EARLIEST_MOMENT_S = 1_000_000_000

const MOST_WORDS = 300

export interface JsonRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  body?: Record<string, unknown> | FormData | undefined
  headers?: Record<string, string>
}

/** A request with a bearer token, whose body goes as JSON or as the form that it is. */
export function jsonRequest(token: string, { method = 'GET', body, headers }: JsonRequest): RequestInit {
  const isForm = body instanceof FormData
  const type = body && !isForm && { 'Content-Type': 'application/json' }
  return {
    method,
    headers: { Accept: 'application/json', Authorization: `Bearer ${token}`, ...type, ...headers },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  }
}

/** The token of credentials. Throws a PlatformRefusedError where there is none. */
export function tokenIn(network: string, { access_token: token }: Record<string, string>): string {
  if (token) return token
  throw new PlatformRefusedError(`credentials need an access_token; open connect_url to allow access at ${network}`)
}

/** A text of JSON that has the shape, or null. */
export function parsed<Shape extends z.ZodType>(shape: Shape, text: string): z.output<Shape> | null {
  try {
    return shape.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** The words of a refusal, as `read` finds them in its JSON. */
export function wordsIn(network: string, text: string, read: (json: unknown) => string | undefined): string {
  const unsaid = `${network} refused it without a reason`
  try {
    return read(JSON.parse(text))?.slice(0, MOST_WORDS) || unsaid
  } catch {
    return unsaid
  }
}

interface Refusal {
  network: string
  words: string
  /** How long to wait where the network limits the rate and does not say until when. */
  fallbackMs?: number
}

/** The error of an answer that is none. What may do better later is an ordinary error: time-outs, and faults of the network. */
export function refusalOf(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  { network, words, ...options }: Refusal,
  refused = new PlatformRefusedError(words, { expired: status === 401 }),
): Error {
  const until = busyUntil(status, headers, options)
  if (until !== null) return new PlatformBusyError(words, until)
  if (status >= 500 || status === 408) return new Error(`${network} answered with status ${status}: ${words}`)
  return refused
}

/**
 * Until when a network does not want to be asked, in milliseconds since 1970: by `Retry-After` (RFC 9110, 10.2.3), or by the
 * headers that many networks have for it, else after `fallbackMs`. Null for any other answer.
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
