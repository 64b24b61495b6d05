import { formOf, isProof, refused } from './graph-answers.ts'
import type { Answer, Incoming } from './network-server.ts'

export const META_SETTINGS = { META_APP_ID: '10203040', META_APP_SECRET: 'meta-secret-77' }
const REDIRECT = /^http:\/\/127\.0\.0\.1:\d+\/social\/callback\/(facebook|instagram)$/
const DIALOG = '/v25.0/dialog/oauth'
const TWO_MONTHS_S = 5_183_944

interface Grant {
  scopes: string[]
  /** The page that a token acts as; null for the person. */
  page: string | null
  long: boolean
}

/** Fakes Facebook Login for Business: the dialog, codes, and the exchange of tokens for longer-lived ones. */
export class MetaLogin {
  readonly grants = new Map<string, Grant>()
  /** The permissions that the person deselects in the dialog. */
  refusedScopes: string[] = []
  readonly #codes = new Map<string, { redirect: string; scopes: string[] }>()
  #made = 0

  /** The person grants access in the dialog. Returns the redirect URL. Throws if the dialog would show an error. */
  allow(address: string): string {
    const { redirect, state, scopes } = asked(address)
    const code = `code-${++this.#made}`
    this.#codes.set(code, { redirect, scopes: scopes.filter((one) => !this.refusedScopes.includes(one)) })
    return `${redirect}?code=${code}&state=${encodeURIComponent(state)}#_=_`
  }

  deny(address: string): string {
    const { redirect, state } = asked(address)
    const words = 'error=access_denied&error_code=200&error_description=Permissions+error&error_reason=user_denied'
    return `${redirect}?${words}&state=${encodeURIComponent(state)}#_=_`
  }

  /** Returns the grant of a request, or null if its token is missing or invalid. */
  grantOf(request: Incoming): Grant | null {
    const fields = formOf(request)?.fields
    const token = fields?.get('access_token') ?? ''
    if (!isProof(fields?.get('appsecret_proof'), token, META_SETTINGS.META_APP_SECRET)) return null
    return this.grants.get(token) ?? null
  }

  /** Returns the token of a page. It stays the same for the same person while it is valid. */
  pageToken(page: string, scopes: string[]): string {
    const token = `page-token-${page}-${scopes.length}`
    this.grants.set(token, { scopes, page, long: true })
    return token
  }

  answer({ method, query }: Incoming): Answer {
    const { META_APP_ID, META_APP_SECRET } = META_SETTINGS
    if (method !== 'GET') return refused('Unsupported post request.', 100)
    if (query.get('client_id') !== META_APP_ID || query.get('client_secret') !== META_APP_SECRET)
      return refused('Error validating client secret.', 1)
    if (query.get('grant_type') === 'fb_exchange_token') {
      const short = this.grants.get(query.get('fb_exchange_token') ?? '')
      if (!short) return refused('Invalid OAuth access token - Cannot parse access token', 190)
      return [
        200,
        { access_token: this.#give({ ...short, long: true }), token_type: 'bearer', expires_in: TWO_MONTHS_S },
      ]
    }
    const code = this.#codes.get(query.get('code') ?? '')
    this.#codes.delete(query.get('code') ?? '')
    if (!code) return refused('This authorization code has been used.', 100, { error_subcode: 36_009 })
    if (code.redirect !== query.get('redirect_uri'))
      return refused('Error validating verification code. Please make sure your redirect_uri is identical.', 100)
    const token = this.#give({ scopes: code.scopes, page: null, long: false })
    return [200, { access_token: token, token_type: 'bearer', expires_in: 5_000 }]
  }

  #give(grant: Grant): string {
    const token = `user-token-${++this.#made}`
    this.grants.set(token, grant)
    return token
  }
}

function asked(address: string): { redirect: string; state: string; scopes: string[] } {
  const { pathname, searchParams: query } = new URL(address)
  const redirect = query.get('redirect_uri') ?? ''
  if (!pathname.endsWith(`/www.facebook.com${DIALOG}`)) throw new Error('There is no such page')
  if (query.get('client_id') !== META_SETTINGS.META_APP_ID) throw new Error('App ID is invalid.')
  if (!REDIRECT.test(redirect)) throw new Error('URL blocked: the redirect URI is not in the app’s settings.')
  if (query.get('response_type') !== 'code') throw new Error('Invalid response_type')
  return { redirect, state: query.get('state') ?? '', scopes: query.get('scope')?.split(',') ?? [] }
}
