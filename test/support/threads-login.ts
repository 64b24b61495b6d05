import { formOf, refused } from './graph-answers.ts'
import type { Answer, Incoming } from './network-server.ts'

export const THREADS_SETTINGS = { THREADS_APP_ID: '50607080', THREADS_APP_SECRET: 'threads-secret-88' }
const REDIRECT = /^http:\/\/127\.0\.0\.1:\d+\/social\/callback\/threads$/
const TWO_MONTHS_S = 5_183_944
const DAY_MS = 24 * 60 * 60 * 1000

interface Token {
  scopes: string[]
  long: boolean
  madeAt: number
}

/** Fakes the tokens of Threads: for an hour, for 60 days, and refreshed (Threads API, Get started). */
export class ThreadsLogin {
  readonly tokens = new Map<string, Token>()
  readonly #codes = new Map<string, { redirect: string; scopes: string[] }>()
  #made = 0

  /** The person grants access. Returns the redirect URL. Throws if Threads would show an error. */
  allow(address: string): string {
    const { pathname, searchParams: query } = new URL(address)
    const redirect = query.get('redirect_uri') ?? ''
    if (!pathname.endsWith('/threads.net/oauth/authorize')) throw new Error('There is no such page')
    if (query.get('client_id') !== THREADS_SETTINGS.THREADS_APP_ID) throw new Error('Invalid client_id')
    if (!REDIRECT.test(redirect) || query.get('response_type') !== 'code') throw new Error('Invalid redirect_uri')
    const code = `code-${++this.#made}`
    this.#codes.set(code, { redirect, scopes: query.get('scope')?.split(',') ?? [] })
    return `${redirect}?code=${code}&state=${encodeURIComponent(query.get('state') ?? '')}#_`
  }

  answer(request: Incoming): Answer {
    const { method, path, query } = request
    const secret = THREADS_SETTINGS.THREADS_APP_SECRET
    if (method === 'POST' && path === '/oauth/access_token') return this.#trade(formOf(request)?.fields)
    const token = query.get('access_token') ?? ''
    const known = this.tokens.get(token)
    if (method !== 'GET' || !known) return refused('Invalid OAuth access token - Cannot parse access token', 190)
    if (
      path === '/access_token' &&
      query.get('grant_type') === 'th_exchange_token' &&
      query.get('client_secret') === secret
    )
      return known.long ? refused('Invalid token', 452) : this.#give(known.scopes, true)
    if (path !== '/refresh_access_token' || query.get('grant_type') !== 'th_refresh_token')
      return refused('Invalid request', 100)
    if (!known.long || known.madeAt > Date.now() - DAY_MS) return refused('The token is less than 24 hours old', 452)
    this.tokens.delete(token)
    return this.#give(known.scopes, true)
  }

  /** Makes the tokens older by some days. */
  age(days: number): void {
    for (const token of this.tokens.values()) token.madeAt -= days * DAY_MS
  }

  #trade(fields: ReadonlyMap<string, string> | undefined): Answer {
    const { THREADS_APP_ID, THREADS_APP_SECRET } = THREADS_SETTINGS
    const code = this.#codes.get(fields?.get('code') ?? '')
    this.#codes.delete(fields?.get('code') ?? '')
    if (fields?.get('client_id') !== THREADS_APP_ID || fields.get('client_secret') !== THREADS_APP_SECRET)
      return refused('Error validating client secret.', 1)
    if (fields.get('grant_type') !== 'authorization_code' || code?.redirect !== fields.get('redirect_uri'))
      return refused('This authorization code has been used', 100, { error_subcode: 36_009 })
    const [, given] = this.#give(code?.scopes ?? [], false)
    return [200, { access_token: given.access_token, user_id: 2_468 }]
  }

  #give(scopes: string[], long: boolean): Answer {
    const access_token = `threads-${long ? 'long' : 'short'}-${++this.#made}`
    this.tokens.set(access_token, { scopes, long, madeAt: Date.now() })
    return [200, { access_token, token_type: 'bearer', expires_in: TWO_MONTHS_S }]
  }
}
