import type { z } from 'zod'
import { API_VERSIONS } from '../../api-versions.ts'
import { guardedFetch } from '../guarded-fetch.ts'
import type { NetworkParts } from '../network.ts'
import { type Credentials, PlatformBusyError, PlatformRefusedError } from '../provider.ts'
import { busyUntil } from '../rate-limit.ts'
import { Refusal } from './shapes.ts'

const MOST_WORDS = 300

/** The API as one user. */
export interface Api {
  /** Rejects with a PlatformRefusedError where Pinterest says no for good, and with a PlatformBusyError where it limits the rate. */
  call<Shape extends z.ZodType>(path: string, shape: Shape, body?: Record<string, unknown>): Promise<z.output<Shape>>
}

/** Throws a PlatformRefusedError for credentials that cannot be right. */
export function apiOf(
  { web, addressOf }: NetworkParts,
  { access_token: token }: Credentials,
  signal: AbortSignal,
): Api {
  if (!token)
    throw new PlatformRefusedError('credentials need an access_token; open connect_url to allow access at Pinterest')
  const fetch = guardedFetch(web, signal)
  return {
    async call(path, shape, body) {
      const answer = await fetch(`${addressOf('https://api.pinterest.com')}/${API_VERSIONS.pinterest.version}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: {
          Accept: 'application/json',
          Authorization: `Bearer ${token}`,
          ...(body && { 'Content-Type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw refusalOf(answer, text)
      return shape.parse(JSON.parse(text))
    },
  }
}

/** What may do better later is an ordinary error: time-outs, and faults of Pinterest. */
function refusalOf({ status, headers }: Response, text: string): Error {
  const said = saidIn(text)
  const until = busyUntil(status, headers)
  if (until !== null) return new PlatformBusyError(said, until)
  if (status >= 500 || status === 408) return new Error(`Pinterest answered with status ${status}: ${said}`)
  return new PlatformRefusedError(said, { expired: status === 401 })
}

function saidIn(text: string): string {
  try {
    return Refusal.parse(JSON.parse(text)).message.slice(0, MOST_WORDS) || NO_REASON
  } catch {
    return NO_REASON
  }
}

const NO_REASON = 'Pinterest refused it without a reason'
