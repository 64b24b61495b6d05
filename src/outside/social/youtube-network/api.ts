import type { z } from 'zod'
import { API_VERSIONS } from '../../api-versions.ts'
import type { WebAnswer } from '../../web/client.ts'
import { guardedFetch } from '../guarded-fetch.ts'
import type { NetworkParts } from '../network.ts'
import { type Credentials, PlatformBusyError, PlatformRefusedError } from '../provider.ts'
import { busyUntil } from '../rate-limit.ts'
import { quotaRenewedAt } from './quota.ts'
import { Refusal } from './shapes.ts'

const MOST_WORDS = 300
const BRIEFLY_MS = 60_000

interface Request {
  method?: 'GET' | 'POST' | 'DELETE'
  body?: Record<string, unknown>
}

/** The API as the owner of one channel. */
export interface Api {
  channel: string
  token: string
  /** Rejects with a PlatformRefusedError where YouTube says no for good, and with a PlatformBusyError where a quota is used up. */
  call<Shape extends z.ZodType>(path: string, shape: Shape, request?: Request): Promise<z.output<Shape>>
}

/** A refusal with the word that the API has for its reason, such as `commentsDisabled`. */
export class ReasonedRefusalError extends PlatformRefusedError {
  override name = 'ReasonedRefusalError'
  readonly reason: string

  constructor(message: string, reason: string, expired: boolean) {
    super(message, { expired })
    this.reason = reason
  }
}

/** Throws a PlatformRefusedError for credentials that cannot be right. */
export function apiOf({ web, addressOf }: NetworkParts, credentials: Credentials, signal: AbortSignal): Api {
  const { access_token: token, channel = '' } = credentials
  if (!token)
    throw new PlatformRefusedError('credentials need an access_token; open connect_url to allow access at YouTube')
  const fetch = guardedFetch(web, signal)
  return {
    ...{ channel, token },
    async call(path, shape, { method = 'GET', body } = {}) {
      const answer = await fetch(
        `${addressOf('https://www.googleapis.com')}/youtube/${API_VERSIONS.youtube.version}${path}`,
        {
          method,
          headers: {
            Accept: 'application/json',
            Authorization: `Bearer ${token}`,
            ...(body && { 'Content-Type': 'application/json' }),
          },
          ...(body && { body: JSON.stringify(body) }),
        },
      )
      const text = await answer.text()
      if (!answer.ok) throw refusalOf(answer.status, answer.headers, text)
      return shape.parse(text === '' ? {} : JSON.parse(text))
    },
  }
}

/** As `refusalOf`, of an answer whose body was read in bytes. */
export function refusalIn({ status, headers, body }: WebAnswer): Error {
  return refusalOf(status, new Headers(headers), Buffer.from(body).toString('utf8'))
}

/** What may do better later is an ordinary error: time-outs, and faults of YouTube. */
function refusalOf(status: number, headers: Headers, text: string): Error {
  const { said, reason } = saidIn(text)
  if (QUOTAS.includes(reason)) return new PlatformBusyError(said, quotaRenewedAt(Date.now()))
  if (RATES.includes(reason)) return new PlatformBusyError(said, Date.now() + BRIEFLY_MS)
  const until = busyUntil(status, headers)
  if (until !== null) return new PlatformBusyError(said, until)
  if (status >= 500 || status === 408) return new Error(`YouTube answered with status ${status}: ${said}`)
  return new ReasonedRefusalError(said, reason, status === 401)
}

/** The quota of a day; and the rate of a minute (Errors, Global domain). */
const QUOTAS = ['quotaExceeded', 'dailyLimitExceeded']
const RATES = ['rateLimitExceeded', 'userRateLimitExceeded']

function saidIn(text: string): { said: string; reason: string } {
  try {
    const { message, errors = [] } = Refusal.parse(JSON.parse(text)).error
    // Some sentences have links.
    const plain = message.replace(/<[^>]*>/g, '').trim()
    return { said: plain.slice(0, MOST_WORDS) || NO_REASON, reason: errors[0]?.reason ?? '' }
  } catch {
    return { said: NO_REASON, reason: '' }
  }
}

const NO_REASON = 'YouTube refused it without a reason'
