import { createHash } from 'node:crypto'
import { type Answer, formIn, type Incoming } from './network-server.ts'

export const GOOGLE_SETTINGS = { GOOGLE_CLIENT_ID: 'google-client', GOOGLE_CLIENT_SECRET: 'google-secret' }
const REDIRECT = /^http:\/\/127\.0\.0\.1:\d+\/social\/callback\/youtube$/

interface Grant {
  scopes: string[]
  access: string
}

/** Google's OAuth 2.0 for web servers, with PKCE (developers.google.com/identity/protocols/oauth2/web-server). */
export class GoogleOAuth {
  /** The grants by refresh token. A refresh token does not change until it is revoked. */
  readonly grants = new Map<string, Grant>()
  readonly #codes = new Map<string, { challenge: string; redirect: string; scopes: string[] }>()
  #made = 0

  /** The person grants access, optionally to some scopes only. Throws if Google would show an error. */
  allow(address: string, allowed?: string[]): string {
    const { origin, pathname, searchParams: query } = new URL(address)
    const redirect = query.get('redirect_uri') ?? ''
    if (!`${origin}${pathname}`.endsWith('/accounts.google.com/o/oauth2/v2/auth'))
      throw new Error('404. That’s an error.')
    if (query.get('client_id') !== GOOGLE_SETTINGS.GOOGLE_CLIENT_ID) throw new Error('Error 401: invalid_client')
    if (!REDIRECT.test(redirect)) throw new Error('Error 400: redirect_uri_mismatch')
    if (query.get('response_type') !== 'code' || query.get('code_challenge_method') !== 'S256')
      throw new Error('Error 400: invalid_request')
    if (query.get('access_type') !== 'offline' || query.get('prompt') !== 'consent')
      throw new Error('There would be no refresh token')
    const code = `4/code-${++this.#made}`
    const scopes = allowed ?? query.get('scope')?.split(' ') ?? []
    this.#codes.set(code, { challenge: query.get('code_challenge') ?? '', redirect, scopes })
    const state = encodeURIComponent(query.get('state') ?? '')
    return `${redirect}?state=${state}&code=${encodeURIComponent(code)}&scope=${encodeURIComponent(scopes.join(' '))}`
  }

  scopesOf(authorization: string | undefined): string[] | undefined {
    const [, token] = /^Bearer (.+)$/.exec(authorization ?? '') ?? []
    return [...this.grants.values()].find(({ access }) => access === token)?.scopes
  }

  answer(request: Incoming): Answer {
    const form = formIn(request)
    if (!form || request.method !== 'POST') return [400, { error: 'invalid_request' }]
    if (request.path === '/revoke') return this.#revoke(form)
    if (request.path !== '/token') return [404, {}]
    if (form.get('client_id') !== GOOGLE_SETTINGS.GOOGLE_CLIENT_ID || form.get('client_secret') !== 'google-secret')
      return [401, { error: 'invalid_client', error_description: 'Unauthorized' }]
    if (form.get('grant_type') === 'refresh_token') return this.#refresh(form.get('refresh_token') ?? '')
    return form.get('grant_type') === 'authorization_code'
      ? this.#trade(form)
      : [400, { error: 'unsupported_grant_type' }]
  }

  #trade(form: URLSearchParams): Answer {
    const code = this.#codes.get(form.get('code') ?? '')
    this.#codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (code?.challenge !== challenge || code.redirect !== form.get('redirect_uri'))
      return [400, { error: 'invalid_grant', error_description: 'Bad Request' }]
    const refresh_token = `1//refresh-${++this.#made}`
    const grant = { scopes: code.scopes, access: `ya29.access-${this.#made}` }
    this.grants.set(refresh_token, grant)
    return [200, { ...this.#given(grant), refresh_token }]
  }

  #refresh(token: string): Answer {
    const grant = this.grants.get(token)
    if (!grant) return [400, { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' }]
    grant.access = `ya29.access-${++this.#made}`
    return [200, this.#given(grant)]
  }

  #revoke(form: URLSearchParams): Answer {
    const token = form.get('token') ?? ''
    const known = [...this.grants].find(([refresh, { access }]) => refresh === token || access === token)
    if (!known) return [400, { error: 'invalid_token', error_description: 'Token expired or revoked' }]
    this.grants.delete(known[0])
    return [200, {}]
  }

  #given({ access, scopes }: Grant) {
    return { access_token: access, expires_in: 3599, scope: scopes.join(' '), token_type: 'Bearer' }
  }
}
