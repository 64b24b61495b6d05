import { Agent, AtpAgent } from '@atproto/api'
import { z } from 'zod'
import { only } from '../../../../errors.ts'
import type { WebClient } from '../../../../providers/web/client.ts'
import { guardedFetch } from '../network.ts'
import { renewalBefore } from '../oauth.ts'
import { type Access, type Credentials, PlatformRefusedError } from '../provider.ts'
import { refusing, type Session } from './session.ts'

const USUAL_SERVICE = 'https://bsky.social'
const Tokens = z.object({ did: z.string(), handle: z.string(), accessJwt: z.string(), refreshJwt: z.string() })
const Claims = z.object({ exp: z.number() })

interface SessionRequest {
  credentials: Credentials
  signal: AbortSignal
}

/** Signs in with an app password, which servers allow 300 times a day. A refusal of the server is a PlatformRefusedError. */
export async function signIn(web: WebClient, { credentials, signal }: SessionRequest): Promise<Access> {
  const { identifier, password } = credentials
  if (!identifier || !password)
    throw new PlatformRefusedError('credentials need an identifier (the handle) and a password (an app password)')
  const agent = agentFor(web, { credentials, signal })
  const ask = () => agent.com.atproto.server.createSession({ identifier: identifier.replace(/^@/, ''), password })
  return accessFrom(credentials, (await refusing(ask, 'signing in')).data)
}

/** Refreshes the session's tokens; if the server refuses, signs in again with the app password. */
export async function renewed(web: WebClient, asked: SessionRequest): Promise<Access> {
  const { refresh } = asked.credentials
  if (refresh === undefined) return signIn(web, asked)
  const ask = () => agentFor(web, asked).com.atproto.server.refreshSession(undefined, bearing(refresh))
  return refusing(ask, 'renewing the session')
    .then(({ data }) => accessFrom(asked.credentials, data))
    .catch(only(PlatformRefusedError, () => signIn(web, asked)))
}

export function openSession(web: WebClient, { credentials, signal }: SessionRequest): Session {
  const { did = '', handle = '', access = '' } = credentials
  const agent = new Agent({ did, fetchHandler: handlerFor(web, { credentials, signal }, access) })
  return { agent, did, handle }
}

/** Ends the session. The app password itself can only be revoked by its owner. */
export async function ended(web: WebClient, asked: SessionRequest): Promise<void> {
  const { refresh } = asked.credentials
  if (refresh === undefined) return
  const ask = () => agentFor(web, asked).com.atproto.server.deleteSession(undefined, bearing(refresh))
  await refusing(ask, 'ending the session')
}

function accessFrom(credentials: Credentials, data: unknown): Access {
  const { did, handle, accessJwt: access, refreshJwt: refresh } = Tokens.parse(data)
  return { credentials: { ...credentials, did, handle, access, refresh }, renewAt: renewAtOf(access) }
}

/** Returns the time at which to refresh a token, which is before its expiry (RFC 7519, 4.1.4). */
function renewAtOf(access: string): string {
  const { exp } = Claims.parse(JSON.parse(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString('utf8')))
  return renewalBefore(exp * 1000)
}

function agentFor(web: WebClient, { credentials, signal }: SessionRequest): AtpAgent {
  return new AtpAgent({ service: serviceOf(credentials.service), fetch: guardedFetch(web, signal) })
}

function handlerFor(web: WebClient, { credentials, signal }: SessionRequest, access: string) {
  const fetch = guardedFetch(web, signal)
  const service = serviceOf(credentials.service)
  return (path: string, init: RequestInit) => {
    const headers = new Headers(init.headers)
    headers.set('Authorization', `Bearer ${access}`)
    return fetch(new URL(path, service).href, { ...init, headers })
  }
}

function bearing(token: string) {
  return { headers: { authorization: `Bearer ${token}` } }
}

function serviceOf(given: string | undefined): string {
  if (given === undefined || given === '') return USUAL_SERVICE
  if (URL.canParse(given)) return new URL(given).origin
  throw new PlatformRefusedError('service must be the address of a server, such as https://bsky.social')
}
