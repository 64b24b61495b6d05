import { z } from 'zod'
import type { WebClient } from '../../web/client.ts'
import { guardedFetch } from '../guarded-fetch.ts'
import { type Credentials, PlatformBusyError, PlatformRefusedError } from '../provider.ts'
import { busyUntil } from '../rate-limit.ts'

const MOST_WORDS = 300
const Refusal = z.object({ error: z.string() })

interface Request {
  method?: 'GET' | 'POST' | 'DELETE'
  body?: Record<string, unknown> | FormData
  /** The same key is the same status, for an hour. */
  key?: string
}

/** The API of one instance, as the owner of a token. */
export interface Api {
  instance: string
  /** Rejects with a PlatformRefusedError where the instance says no for good. */
  call<Shape extends z.ZodType>(path: string, shape: Shape, request?: Request): Promise<z.output<Shape>>
}

/** Throws a PlatformRefusedError for credentials that cannot be right. */
export function apiOf(web: WebClient, { instance, access_token: token }: Credentials, signal: AbortSignal): Api {
  if (!instance || !token)
    throw new PlatformRefusedError('credentials need an instance, such as mastodon.social, and an access_token')
  const origin = originOf(instance)
  const fetch = guardedFetch(web, signal)
  return {
    instance: origin,
    async call(path, shape, { method = 'GET', body, key } = {}) {
      const isForm = body instanceof FormData
      const answer = await fetch(`${origin}${path}`, {
        method,
        headers: {
          Accept: 'application/json',
          Authorization: `Bearer ${token}`,
          ...(body && !isForm && { 'Content-Type': 'application/json' }),
          ...(key !== undefined && { 'Idempotency-Key': key }),
        },
        ...(body && { body: isForm ? body : JSON.stringify(body) }),
      })
      return refusing(answer, shape)
    },
  }
}

/** The instance has no such thing: the address is unknown, or what it names is gone. */
export class NotThereError extends PlatformRefusedError {
  override name = 'NotThereError'
}

/** The body of an answer. Throws a PlatformRefusedError in the words of the instance, or a PlatformBusyError. */
export async function refusing<Shape extends z.ZodType>(answer: Response, shape: Shape): Promise<z.output<Shape>> {
  const text = await answer.text()
  if (answer.ok) return shape.parse(JSON.parse(text))
  const until = busyUntil(answer.status, answer.headers)
  throw until === null ? refusalOf(answer.status, text) : new PlatformBusyError(saidIn(text), until)
}

/** The origin of a server that a person names. Throws a PlatformRefusedError where it is none. */
export function originOf(instance: string): string {
  const name = instance.trim()
  const address = /^https?:\/\//.test(name) ? name : `https://${name}`
  if (name !== '' && URL.canParse(address)) return new URL(address).origin
  throw new PlatformRefusedError('instance must be the name of a server, such as mastodon.social')
}

/** What may do better later is an ordinary error: time-outs, and faults of the instance. */
function refusalOf(status: number, text: string): Error {
  const said = saidIn(text)
  if (status >= 500 || status === 408) return new Error(`The instance answered with status ${status}: ${said}`)
  if (status === 404 || status === 410) return new NotThereError(said)
  return new PlatformRefusedError(said, { expired: status === 401 })
}

function saidIn(text: string): string {
  try {
    return Refusal.parse(JSON.parse(text)).error.slice(0, MOST_WORDS)
  } catch {
    return 'the instance refused it without a reason'
  }
}
