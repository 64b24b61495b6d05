import { createHash } from 'node:crypto'
import { z } from 'zod'
import { only } from '../../../../errors.ts'
import type { WebClient } from '../../../../providers/web/client.ts'
import { guardedFetch } from '../network.ts'
import { challengeOf, codeIn, newVerifier, requestTokens, withQuery } from '../oauth.ts'
import {
  type Authorization,
  type BeginRequest,
  type Credentials,
  type Finished,
  type FinishRequest,
  PlatformRefusedError,
} from '../provider.ts'
import { apiOf, instanceOf, originOf, profileOf, refusing } from './api.ts'

/** The minimal scopes that the service needs (docs.joinmastodon.org, OAuth scopes). */
const SCOPES = 'read:accounts read:statuses write:statuses write:media write:favourites'
const APP_NAME = 'Shopwright'

/** The number of characters of a server's hash in a redirect URL. */
const SERVER_KEY = 22

const Metadata = z.object({ issuer: z.string(), authorization_response_iss_parameter_supported: z.literal(true) })
const App = z.object({ client_id: z.string().min(1), client_secret: z.string().min(1) })

/** Authorization on a server's page. The service registers an app with each server. */
export function fediverseAuthorization(web: WebClient): Authorization {
  return {
    asks: [{ name: 'instance', label: 'Server', secret: false, hint: 'Such as mastodon.social' }],
    begin: (request) => begin(web, request),
    finish: (request) => finish(web, request),
  }
}

async function begin(web: WebClient, request: BeginRequest): Promise<{ url: string; kept: Credentials }> {
  const { state, entered } = request
  const origin = originOf(entered.instance ?? '')
  const redirect_uri = redirectOf(request, origin)
  const issuer = await issuerOf(web, origin, request)
  const { client_id, client_secret } = await appOf(web, origin, { ...request, returnUrl: redirect_uri })
  const verifier = newVerifier()
  const url = withQuery(`${origin}/oauth/authorize`, {
    response_type: 'code',
    client_id,
    redirect_uri,
    scope: SCOPES,
    state,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
  })
  const kept = { instance: origin, client_id, client_secret, verifier, redirect_uri }
  return { url, kept: { ...kept, ...(issuer !== null && { issuer }) } }
}

/** Returns a separate redirect URL for each server, so that no server receives the code of another (RFC 9700, 4.4.2.2). */
function redirectOf({ returnUrl }: Pick<BeginRequest, 'returnUrl'>, origin: string): string {
  return `${returnUrl}/${createHash('sha256').update(origin).digest('base64url').slice(0, SERVER_KEY)}`
}

/** Returns the issuer that the server adds to responses (RFC 9207), or null if it announces none or that of another server. */
async function issuerOf(web: WebClient, origin: string, { signal }: BeginRequest): Promise<string | null> {
  const headers = { Accept: 'application/json' }
  try {
    const answer = await guardedFetch(web, signal)(`${origin}/.well-known/oauth-authorization-server`, { headers })
    const { issuer } = Metadata.parse(answer.ok ? await answer.json() : null)
    return URL.parse(issuer)?.origin === origin ? issuer : null
  } catch {
    return null
  }
}

/** Returns whether the response comes from the requested server. */
function isFrom({ instance, issuer }: Credentials, iss: string | undefined): boolean {
  if (issuer !== undefined) return iss === issuer
  return iss === undefined || URL.parse(iss)?.origin === instance
}

/** Returns the app that is registered with a server, if it still exists, or registers one. */
async function appOf(web: WebClient, origin: string, request: BeginRequest): Promise<z.output<typeof App>> {
  const { apps, returnUrl } = request
  const known = await apps.find(origin)
  if (known?.redirect_uri === returnUrl && known.scopes === SCOPES && (await isKnown(web, origin, known, request)))
    return App.parse(known)
  const app = await register(web, origin, request)
  await apps.keep(origin, { ...app, redirect_uri: returnUrl, scopes: SCOPES })
  return app
}

/** Returns whether the server still knows the app. Servers delete unused apps, and requesting an app token keeps this one. */
async function isKnown(
  web: WebClient,
  origin: string,
  { client_id = '', client_secret = '' }: Credentials,
  { signal, returnUrl }: BeginRequest,
): Promise<boolean> {
  const form = { grant_type: 'client_credentials', client_id, client_secret, redirect_uri: returnUrl }
  const asked = requestTokens({ fetch: guardedFetch(web, signal), url: `${origin}/oauth/token`, form })
  return asked.then(
    () => true,
    only(PlatformRefusedError, () => false),
  )
}

async function register(web: WebClient, origin: string, { returnUrl, signal }: BeginRequest) {
  const answer = await guardedFetch(web, signal)(`${origin}/api/v1/apps`, {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify({
      client_name: APP_NAME,
      redirect_uris: returnUrl,
      scopes: SCOPES,
      website: new URL(returnUrl).origin,
    }),
  })
  return refusing(answer, App)
}

async function finish(web: WebClient, { kept, query, returnUrl, signal }: FinishRequest): Promise<Finished> {
  if (!isFrom(kept, query.iss))
    throw new PlatformRefusedError('The answer came from another server than the one that was asked.')
  const answered = codeIn(query)
  if ('declined' in answered) return answered
  const { instance = '', client_id = '', client_secret = '', verifier = '' } = kept
  const tokens = await requestTokens({
    fetch: guardedFetch(web, signal),
    url: `${instance}/oauth/token`,
    form: {
      grant_type: 'authorization_code',
      code: answered.code,
      client_id,
      client_secret,
      redirect_uri: kept.redirect_uri ?? returnUrl,
      code_verifier: verifier,
      scope: SCOPES,
    },
  })
  const credentials = { instance, access_token: tokens.access_token, client_id, client_secret }
  const api = apiOf(web, credentials, signal)
  return { choices: [{ profile: await profileOf(api, await instanceOf(api)), credentials }] }
}
