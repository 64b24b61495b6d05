import { createHash } from 'node:crypto'

// biome-ignore lint/suspicious/noExplicitAny: bodies of any call
type Body = any
type Answer = [status: number, body: Body]

interface App {
  client_id: string
  client_secret: string
  redirect_uri: string
  scopes: string[]
}

interface Code {
  app: App
  redirect_uri: string
  challenge: string
  scopes: string[]
}

/** The OAuth of an instance, as its documentation has it: apps, codes and tokens with their scopes. */
export class MastodonOAuth {
  readonly apps = new Map<string, App>()
  readonly tokens = new Map<string, string[]>()
  /** The `iss` that it adds to its responses (RFC 9207); null if it adds none. */
  issuer: string | null = null
  readonly #codes = new Map<string, Code>()
  #made = 0

  /** The person grants access. Returns the redirect URL. Throws if the instance would show an error. */
  allow(address: string): string {
    const { app, query } = this.#asked(address)
    const scopes = query.get('scope')?.split(' ') ?? []
    if (!scopes.every((one) => app.scopes.includes(one))) throw new Error('The requested scope is invalid')
    if (query.get('code_challenge_method') !== 'S256') throw new Error('The code challenge method must be S256')
    const code = `code-${++this.#made}`
    const challenge = query.get('code_challenge') ?? ''
    this.#codes.set(code, { app, redirect_uri: app.redirect_uri, challenge, scopes })
    return `${app.redirect_uri}?code=${code}&state=${encodeURIComponent(query.get('state') ?? '')}${this.#iss()}`
  }

  deny(address: string): string {
    const { app, query } = this.#asked(address)
    const words = 'error=access_denied&error_description=The+resource+owner+or+authorization+server+denied+the+request.'
    return `${app.redirect_uri}?${words}&state=${encodeURIComponent(query.get('state') ?? '')}${this.#iss()}`
  }

  /** Returns the scopes of a token, or undefined if it is unknown. */
  scopesOf(authorization: string | undefined): string[] | undefined {
    return this.tokens.get(/^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '')
  }

  register(type: string | undefined, sent: Buffer): Answer {
    if (!type?.startsWith('application/json')) return [400, { error: 'bad request' }]
    const { client_name, redirect_uris, scopes, website } = JSON.parse(sent.toString('utf8'))
    if (!client_name || !URL.canParse(redirect_uris))
      return [422, { error: 'Validation failed: Redirect URI must be an absolute URI.' }]
    const id = `app-${++this.#made}`
    const app = {
      client_id: id,
      client_secret: `secret of ${id}`,
      redirect_uri: redirect_uris,
      scopes: scopes.split(' '),
    }
    this.apps.set(id, app)
    return [200, { id, name: client_name, website, redirect_uris: [redirect_uris], ...app, vapid_key: 'v' }]
  }

  token(type: string | undefined, sent: Buffer): Answer {
    if (type !== 'application/x-www-form-urlencoded') return [400, { error: 'invalid_request' }]
    const form = new URLSearchParams(sent.toString('utf8'))
    const app = this.apps.get(form.get('client_id') ?? '')
    if (!app || app.client_secret !== form.get('client_secret'))
      return [
        401,
        { error: 'invalid_client', error_description: 'Client authentication failed due to unknown client.' },
      ]
    if (form.get('grant_type') === 'client_credentials') return [200, this.#give(['read'])]
    const code = this.#codes.get(form.get('code') ?? '')
    this.#codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const fits = code?.app === app && code.redirect_uri === form.get('redirect_uri') && code.challenge === challenge
    if (form.get('grant_type') !== 'authorization_code' || !fits)
      return [400, { error: 'invalid_grant', error_description: 'The provided authorization grant is invalid.' }]
    return [200, this.#give(code.scopes)]
  }

  revoke(type: string | undefined, sent: Buffer): Answer {
    const form = new URLSearchParams(sent.toString('utf8'))
    const app = this.apps.get(form.get('client_id') ?? '')
    if (type !== 'application/x-www-form-urlencoded' || app?.client_secret !== form.get('client_secret'))
      return [403, { error: 'unauthorized_client', error_description: 'You are not authorized to revoke this token' }]
    this.tokens.delete(form.get('token') ?? '')
    return [200, {}]
  }

  #iss(): string {
    return this.issuer === null ? '' : `&iss=${encodeURIComponent(this.issuer)}`
  }

  #asked(address: string): { app: App; query: URLSearchParams } {
    const { pathname, searchParams: query } = new URL(address)
    const app = this.apps.get(query.get('client_id') ?? '')
    if (pathname !== '/oauth/authorize' || !app) throw new Error('Client authentication failed due to unknown client')
    if (query.get('response_type') !== 'code' || query.get('redirect_uri') !== app.redirect_uri)
      throw new Error('The redirect uri included is not valid.')
    return { app, query }
  }

  #give(scopes: string[]): Body {
    const access_token = `token-${++this.#made}`
    this.tokens.set(access_token, scopes)
    return { access_token, token_type: 'Bearer', scope: scopes.join(' '), created_at: 1_700_000_000 }
  }
}
