import type { z } from 'zod'
import { API_VERSIONS } from '../../api-versions.ts'
import { guardedFetch } from '../guarded-fetch.ts'
import type { NetworkParts } from '../network.ts'
import { type Credentials, PlatformBusyError, PlatformRefusedError } from '../provider.ts'
import { busyUntil } from '../rate-limit.ts'
import { Wrapped } from './shapes.ts'

const MOST_WORDS = 300

/** The API as one user. */
export interface Api {
  /** Rejects with a PlatformRefusedError where TikTok says no for good, and with a PlatformBusyError where it limits the rate. */
  get<Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.output<Shape>>
  post<Shape extends z.ZodType>(path: string, shape: Shape, body: Record<string, unknown>): Promise<z.output<Shape>>
}

/** A refusal with TikTok's code for it, such as `spam_risk_too_many_posts`. */
export class CodedRefusalError extends PlatformRefusedError {
  override name = 'CodedRefusalError'
  readonly code: string

  constructor(message: string, code: string) {
    super(message, { expired: ENDED.includes(code) })
    this.code = code
  }
}

/** Access that has ended, or was never given. */
const ENDED = ['access_token_invalid', 'scope_not_authorized']

/** Throws a PlatformRefusedError for credentials that cannot be right. */
export function apiOf(
  { web, addressOf }: NetworkParts,
  { access_token: token }: Credentials,
  signal: AbortSignal,
): Api {
  if (!token)
    throw new PlatformRefusedError('credentials need an access_token; open connect_url to allow access at TikTok')
  const fetch = guardedFetch(web, signal)
  const call = async (path: string, init: RequestInit): Promise<unknown> => {
    const headers = { Accept: 'application/json', Authorization: `Bearer ${token}`, ...init.headers }
    const answer = await fetch(`${addressOf('https://open.tiktokapis.com')}/${API_VERSIONS.tiktok.version}${path}`, {
      ...init,
      headers,
    })
    return dataIn(answer, await answer.text())
  }
  return {
    get: async (path, shape) => shape.parse(await call(path, { method: 'GET' })),
    async post(path, shape, body) {
      const headers = { 'Content-Type': 'application/json; charset=UTF-8' }
      return shape.parse(await call(path, { method: 'POST', headers, body: JSON.stringify(body) }))
    },
  }
}

/** What may do better later is an ordinary error: time-outs, and faults of TikTok. */
function dataIn({ status, headers }: Response, text: string): unknown {
  const { error, data } = wrappedIn(text) ?? { error: { code: String(status), message: '' } }
  if (error.code === 'ok' && status < 400) return data
  const said = (error.message || error.code).slice(0, MOST_WORDS)
  const until = busyUntil(error.code === 'rate_limit_exceeded' ? 429 : status, headers)
  if (until !== null) throw new PlatformBusyError(said, until)
  if (status >= 500 || status === 408 || error.code === 'internal_error' || error.code === 'ok')
    throw new Error(`TikTok answered with status ${status}: ${said}`)
  throw new CodedRefusalError(said, error.code)
}

function wrappedIn(text: string) {
  try {
    return Wrapped.parse(JSON.parse(text, withWholeIds))
  } catch {
    return null
  }
}

/** Integers that a number cannot hold stay as they are written. */
function withWholeIds(_: string, value: unknown, { source }: { source?: string } = {}): unknown {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) ? source : value
}
