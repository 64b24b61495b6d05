import type { z } from 'zod'
import { API_VERSIONS } from '../../api-versions.ts'
import { guardedFetch } from '../guarded-fetch.ts'
import type { NetworkParts } from '../network.ts'
import {
  type ApiVersion,
  type Credentials,
  PlatformBusyError,
  PlatformRefusedError,
  VersionEndedError,
} from '../provider.ts'
import { busyUntil } from '../rate-limit.ts'
import { Refusal } from './shapes.ts'

const MOST_WORDS = 300
/** LinkedIn counts requests of a day, and does not say when it will take more. */
const WAIT_MS = 60 * 60 * 1000
/** The status for a version that has ended (LinkedIn API, Versioning). */
const VERSION_ENDED = 426

interface Request {
  method?: 'GET' | 'POST' | 'DELETE'
  body?: Record<string, unknown>
}

interface Answered<Body> {
  body: Body
  /** The id of what was created, where something was. */
  id: string | null
}

/** The API as one member. */
export interface Api {
  /** `urn:li:person:…` */
  author: string
  /** Rejects with a PlatformRefusedError where LinkedIn says no for good, and with a PlatformBusyError where it limits the rate. */
  call<Shape extends z.ZodType>(path: string, shape: Shape, request?: Request): Promise<Answered<z.output<Shape>>>
  /** Sends bytes to an address that LinkedIn gave for them; the tag of what it has stored. */
  put(url: string, bytes: Uint8Array, type: string): Promise<string>
}

/** The same post is there already, by the id that LinkedIn names. */
export class DuplicateError extends PlatformRefusedError {
  override name = 'DuplicateError'
  readonly post: string

  constructor(message: string, post: string) {
    super(message)
    this.post = post
  }
}

/** There is no such post, or no longer. */
export class GoneError extends PlatformRefusedError {
  override name = 'GoneError'
}

/** Throws a PlatformRefusedError for credentials that cannot be right. */
export function apiOf({ web, addressOf, settings }: NetworkParts, credentials: Credentials, signal: AbortSignal): Api {
  const { access_token: token, member = '' } = credentials
  if (!token)
    throw new PlatformRefusedError('credentials need an access_token; open connect_url to allow access at LinkedIn')
  const fetch = guardedFetch(web, signal)
  const { version } = versionIn(settings)
  const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` }
  const versioned = {
    ...headers,
    'LinkedIn-Version': version,
    'X-Restli-Protocol-Version': '2.0.0',
  }
  return {
    author: `urn:li:person:${member}`,
    async call(path, shape, { method = 'GET', body } = {}) {
      const answer = await fetch(`${addressOf('https://api.linkedin.com')}${path}`, {
        method,
        headers: { ...versioned, ...(body && { 'Content-Type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (answer.status === VERSION_ENDED) throw new VersionEndedError('LinkedIn', version, Date.now() + WAIT_MS)
      if (!answer.ok) throw refusalOf(answer, text)
      return { body: shape.parse(text === '' ? {} : JSON.parse(text)), id: answer.headers.get('x-restli-id') }
    },
    async put(given, bytes, type) {
      const { origin, hostname, pathname, search } = new URL(given)
      const own = hostname.endsWith('.linkedin.com')
      const answer = await fetch(`${addressOf(origin)}${pathname}${search}`, {
        method: 'PUT',
        headers: { ...(own && headers), 'Content-Type': type },
        body: new Uint8Array(bytes),
      })
      if (!answer.ok) throw refusalOf(answer, await answer.text())
      return answer.headers.get('etag')?.replaceAll('"', '') ?? ''
    },
  }
}

/** LinkedIn takes a version for about a year. */
export function versionIn({ LINKEDIN_VERSION }: NetworkParts['settings']): ApiVersion {
  return { version: LINKEDIN_VERSION ?? API_VERSIONS.linkedIn.version, setting: 'LINKEDIN_VERSION' }
}

/** What may do better later is an ordinary error: time-outs, and faults of LinkedIn. */
function refusalOf({ status, headers }: Response, text: string): Error {
  const { said, duplicate } = saidIn(text)
  const until = busyUntil(status, headers, { fallbackMs: WAIT_MS })
  if (until !== null) return new PlatformBusyError(said, until)
  if (status >= 500 || status === 408) return new Error(`LinkedIn answered with status ${status}: ${said}`)
  if (duplicate) return new DuplicateError(said, duplicate)
  if (status === 404) return new GoneError(said)
  return new PlatformRefusedError(said, { expired: status === 401 })
}

/** LinkedIn names the post that is there already: `Content is a duplicate of urn:li:share:…`. */
const DUPLICATE = /duplicate of (urn:li:(?:share|ugcPost):\d+)/i

function saidIn(text: string): { said: string; duplicate: string | null } {
  try {
    const { message = NO_REASON, errorDetails } = Refusal.parse(JSON.parse(text))
    const isDuplicate = errorDetails?.inputErrors?.some(({ code }) => code === 'DUPLICATE_POST') ?? true
    const duplicate = isDuplicate ? (DUPLICATE.exec(message)?.[1] ?? null) : null
    return { said: message.slice(0, MOST_WORDS), duplicate }
  } catch {
    return { said: NO_REASON, duplicate: null }
  }
}

const NO_REASON = 'LinkedIn refused it without a reason'
