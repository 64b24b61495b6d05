import { createHash } from 'node:crypto'
import { type Answer, formIn, type Incoming } from './network-server.ts'

export const X_SETTINGS = { X_CLIENT_ID: 'x-client', X_CLIENT_SECRET: 'x-secret/+' }
const REDIRECT = /^http:\/\/127\.0\.0\.1:\d+\/social\/callback\/x$/

interface Grant {
  scopes: string[]
  refresh: string | null
}

/** OAuth 2.0 of X with PKCE, for a confidential client (docs.x.com, Authentication). */
export class XOAuth {
  /** The valid access tokens with their grants. */
  readonly grants = new Map<string, Grant>()
  readonly #codes = new Map<string, { challenge: string; redirect: string; scopes: string[] }>()
  #made = 0

  /** The person grants access. Returns the redirect URL. Throws if the page would show an error. */
  allow(address: string): string {
    const query = new URL(address).searchParams
    const redirect = query.get('redirect_uri') ?? ''
    const state = query.get('state') ?? ''
    if (!new URL(address).pathname.endsWith('/i/oauth2/authorize')) throw new Error('There is no such page')
    if (query.get('response_type') !== 'code' || query.get('client_id') !== X_SETTINGS.X_CLIENT_ID)
      throw new Error('Something went wrong. You weren’t able to give access to the App.')
    if (!REDIRECT.test(redirect) || query.get('code_challenge_method') !== 'S256' || state.length > 500)
      throw new Error('Something went wrong. You weren’t able to give access to the App.')
    const code = `code-${++this.#made}`
    const scopes = query.get('scope')?.split(' ') ?? []
    this.#codes.set(code, { challenge: query.get('code_challenge') ?? '', redirect, scopes })
    return `${redirect}?state=${encodeURIComponent(state)}&code=${code}`
  }

  scopesOf(authorization: string | undefined): string[] | undefined {
    return this.grants.get(/^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '')?.scopes
  }

  answer(request: Incoming): Answer {
    const form = formIn(request)
    const { X_CLIENT_ID: id, X_CLIENT_SECRET: secret } = X_SETTINGS
    const basic = `Basic ${Buffer.from(`${id}:${encodeURIComponent(secret)}`).toString('base64')}`
    if (request.headers.authorization !== basic)
      return [401, { error: 'unauthorized_client', error_description: 'Missing valid authorization header' }]
    if (!form || request.method !== 'POST') return [400, { error: 'invalid_request' }]
    if (request.path === '/2/oauth2/revoke') return this.#revoke(form)
    if (form.get('grant_type') === 'refresh_token') return this.#refresh(form)
    return form.get('grant_type') === 'authorization_code' ? this.#trade(form) : [400, { error: 'invalid_request' }]
  }

  #trade(form: URLSearchParams): Answer {
    const code = this.#codes.get(form.get('code') ?? '')
    this.#codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (code?.challenge !== challenge || code.redirect !== form.get('redirect_uri'))
      return [
        400,
        { error: 'invalid_request', error_description: 'Value passed for the authorization code was invalid.' },
      ]
    return [200, this.give(code.scopes)]
  }

  #refresh(form: URLSearchParams): Answer {
    const found = [...this.grants].find(([, { refresh }]) => refresh !== null && refresh === form.get('refresh_token'))
    if (!found) return [400, { error: 'invalid_request', error_description: 'Value passed for the token was invalid.' }]
    this.grants.delete(found[0])
    return [200, this.give(found[1].scopes)]
  }

  #revoke(form: URLSearchParams): Answer {
    const token = form.get('token') ?? ''
    for (const [access, grant] of this.grants)
      if (access === token || grant.refresh === token) this.grants.delete(access)
    return [200, { revoked: true }]
  }

  give(scopes: string[]) {
    const access_token = `access-${++this.#made}`
    const refresh_token = scopes.includes('offline.access') ? `refresh-${this.#made}` : undefined
    this.grants.set(access_token, { scopes, refresh: refresh_token ?? null })
    return { token_type: 'bearer', expires_in: 7200, access_token, scope: scopes.join(' '), refresh_token }
  }
}
