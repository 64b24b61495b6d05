import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { busyUntil, MOST_WORDS, parsed } from './network.ts'
import {
  type Access,
  type Authorization,
  type Credentials,
  type Finished,
  type FinishRequest,
  PlatformBusyError,
  PlatformRefusedError,
} from './provider.ts'

type Ask = (form: Record<string, string>) => TokenRequest

interface CodeFlow {
  /** The network's authorization page; `parameters` are added to its query. */
  page: string
  parameters: Record<string, string>
  /** Set if the network supports PKCE (RFC 7636). */
  proves?: true
  finish(request: FinishRequest, code: string): Promise<Finished>
}

/** Tokens are refreshed this long before they expire, so that they last for the job that uses them. */
const AHEAD_MS = 10 * 60 * 1000

/** An error response: networks use one or more of these fields, and `error_description` is for people (RFC 6749, 5.2). */
const Refusal = z.object({
  error: z.string().optional(),
  error_description: z.string().optional(),
  message: z.string().optional(),
})

const Tokens = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().optional(),
  expires_in: z.number().optional(),
  scope: z.string().optional(),
})
/** The response of a token endpoint (RFC 6749, 5.1). */
export type Tokens = z.output<typeof Tokens>

export interface TokenRequest {
  fetch: typeof fetch
  url: string
  form: Record<string, string>
  /** `Basic …`, if the network expects the app's secret in this header. */
  authorization?: string
}

/** Calls a token endpoint. Rejects with a PlatformRefusedError (`expired`) if the network no longer accepts the code or token. */
export async function requestTokens(request: TokenRequest): Promise<Tokens> {
  return Tokens.parse(JSON.parse(await sendForm(request)))
}

/** Revokes a token (RFC 7009). Succeeds if it was revoked already. */
export async function revokeToken(request: TokenRequest): Promise<void> {
  await sendForm(request)
}

async function sendForm({ fetch, url, form, authorization }: TokenRequest): Promise<string> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(authorization !== undefined && { Authorization: authorization }),
    },
    body: new URLSearchParams(form).toString(),
  })
  const text = await answer.text()
  // Some networks return refusals with status 200.
  if (answer.ok && parsed(Refusal, text)?.error === undefined) return text
  const said = saidIn(text)
  const until = busyUntil(answer.status, answer.headers)
  if (until !== null) throw new PlatformBusyError(said, until)
  if (answer.status >= 500 || answer.status === 408)
    throw new Error(`The network answered with ${answer.status}: ${said}`)
  throw new PlatformRefusedError(said, { expired: true })
}

function saidIn(text: string): string {
  const { error, error_description, message } = parsed(Refusal, text) ?? {}
  return (error_description ?? message ?? error ?? '').slice(0, MOST_WORDS) || NO_REASON
}

const NO_REASON = 'The network refused access without a reason.'

/** Returns a PKCE code verifier (RFC 7636). */
export function newVerifier(): string {
  return randomBytes(32).toString('base64url')
}

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

export function withQuery(address: string, parameters: Record<string, string>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** Returns the app's id and secret as HTTP Basic authentication (RFC 6749, 2.3.1). */
export function basic(id: string, secret: string): string {
  const encoded = [id, secret].map(encodeURIComponent).join(':')
  return `Basic ${Buffer.from(encoded).toString('base64')}`
}

/** Returns the time at which to refresh a token that expires in this many seconds; null if it does not expire. */
export function renewAt(expiresInSeconds: number | undefined, now = Date.now()): string | null {
  if (expiresInSeconds === undefined) return null
  return renewalBefore(now + expiresInSeconds * 1000, now)
}

/** Returns the time at which to refresh a token, early enough for running jobs. Both times are in milliseconds since 1970. */
export function renewalBefore(endsAt: number, now = Date.now()): string {
  return new Date(Math.max(endsAt - AHEAD_MS, now + (endsAt - now) / 2)).toISOString()
}

/** Returns the code from a callback, or a sentence which says that the person declined. Throws a PlatformRefusedError otherwise. */
export function codeIn(query: Record<string, string>): { code: string } | { declined: string } {
  const { error, error_description: description, code } = query
  if (error !== undefined && DECLINED.includes(error)) return { declined: 'Access was not allowed.' }
  if (error !== undefined) throw new PlatformRefusedError((description || error).slice(0, MOST_WORDS))
  if (!code) throw new PlatformRefusedError('The network sent no code with the person.')
  return { code }
}

/** The error codes for access that the person declined: the one of RFC 6749, 4.1.2.1, and two that some networks use. */
const DECLINED = ['access_denied', 'user_cancelled_login', 'user_cancelled_authorize']

/** Creates an authorization code flow (RFC 6749, 4.1). */
export function codeFlow({ page, parameters, proves, finish }: CodeFlow): Authorization {
  return {
    asks: [],
    async begin({ state, returnUrl }) {
      const verifier = newVerifier()
      const url = withQuery(page, {
        ...{ response_type: 'code', ...parameters, redirect_uri: returnUrl, state },
        ...(proves && { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }),
      })
      const kept: Credentials = proves ? { verifier } : {}
      return { url, kept }
    },
    async finish(request) {
      const answered = codeIn(request.query)
      return 'declined' in answered ? answered : finish(request, answered.code)
    },
  }
}

/** Exchanges an authorization code for tokens (RFC 6749, 4.1.3). */
export function tokensFor({ kept, returnUrl }: FinishRequest, code: string, ask: Ask): Promise<Tokens> {
  const form = { grant_type: 'authorization_code', code, redirect_uri: returnUrl }
  return requestTokens(ask({ ...form, ...(kept.verifier !== undefined && { code_verifier: kept.verifier }) }))
}

/** Requests new tokens with the stored refresh token (RFC 6749, 6). Keeps that refresh token unless the network returns a new one. */
export async function renewedBy(network: string, credentials: Credentials, ask: Ask): Promise<Access> {
  const { refresh_token } = credentials
  if (!refresh_token)
    throw new PlatformRefusedError(`Access to ${network} has ended. Connect the account again.`, { expired: true })
  const tokens = await requestTokens(ask({ grant_type: 'refresh_token', refresh_token }))
  const access = { ...credentials, ...credentialsOf(tokens) }
  return { credentials: access, renewAt: access.renew_at ?? null }
}

export function credentialsOf({ access_token, refresh_token, expires_in }: Tokens): Credentials {
  const ends = renewAt(expires_in)
  return { access_token, ...(refresh_token && { refresh_token }), ...(ends && { renew_at: ends }) }
}

/** Returns the time of the first refresh after access was granted: at once if only a refresh token is known. */
export function firstRenewal({ renew_at, refresh_token }: Credentials): string | null {
  return renew_at ?? (refresh_token ? new Date().toISOString() : null)
}
