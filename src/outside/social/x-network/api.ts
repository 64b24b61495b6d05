import type { z } from 'zod'
import { API_VERSIONS } from '../../api-versions.ts'
import { guardedFetch } from '../guarded-fetch.ts'
import type { NetworkParts } from '../network.ts'
import { type Credentials, PlatformBusyError, PlatformRefusedError } from '../provider.ts'
import { busyUntil } from '../rate-limit.ts'
import { Refusal } from './shapes.ts'

const MOST_WORDS = 300

interface Request {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  body?: Record<string, unknown> | FormData
}

/** The API as one user. */
export interface Api {
  userId: string
  /** Rejects with a PlatformRefusedError where X says no for good, and with a PlatformBusyError where it limits the rate. */
  call<Shape extends z.ZodType>(path: string, shape: Shape, request?: Request): Promise<z.output<Shape>>
}

/** Throws a PlatformRefusedError for credentials that cannot be right. */
export function apiOf({ web, addressOf }: NetworkParts, credentials: Credentials, signal: AbortSignal): Api {
  const { access_token: token, user_id: userId = '' } = credentials
  if (!token) throw new PlatformRefusedError('credentials need an access_token; open connect_url to allow access at X')
  const fetch = guardedFetch(web, signal)
  return {
    userId,
    async call(path, shape, { method = 'GET', body } = {}) {
      const isForm = body instanceof FormData
      const answer = await fetch(`${addressOf('https://api.x.com')}/${API_VERSIONS.x.version}${path}`, {
        method,
        headers: {
          Accept: 'application/json',
          Authorization: `Bearer ${token}`,
          ...(body && !isForm && { 'Content-Type': 'application/json' }),
        },
        ...(body && { body: isForm ? body : JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (answer.ok) return shape.parse(text === '' ? {} : JSON.parse(text))
      throw refusalOf(answer, text)
    },
  }
}

/** What may do better later is an ordinary error: time-outs, and faults of X. */
function refusalOf({ status, headers }: Response, text: string): Error {
  const said = saidIn(text)
  const until = busyUntil(status, headers)
  if (until !== null) return new PlatformBusyError(said, until)
  if (status >= 500 || status === 408) return new Error(`X answered with status ${status}: ${said}`)
  return new PlatformRefusedError(said, { expired: status === 401 })
}

function saidIn(text: string): string {
  try {
    const { title, detail, errors = [] } = Refusal.parse(JSON.parse(text))
    const [first] = errors
    return (first?.message ?? first?.detail ?? detail ?? title ?? NO_REASON).slice(0, MOST_WORDS)
  } catch {
    return NO_REASON
  }
}

const NO_REASON = 'X refused it without a reason'
