import { API_VERSIONS } from '../../api-versions.ts'
import { guardedFetch } from '../guarded-fetch.ts'
import type { NetworkParts } from '../network.ts'
import { revokeToken, withQuery } from '../oauth.ts'
import { credentialsOf, renewedBy, tokensFor } from '../oauth-tokens.ts'
import type { Access, Authorization, Credentials, Finished, FinishRequest } from '../provider.ts'
import { apiOf } from './api.ts'
import { profileOf } from './profile.ts'

/** What the service does with an account (Scopes overview): its name, its followers, its posts, and posting. */
const SCOPES = ['user.info.basic', 'user.info.profile', 'user.info.stats', 'video.list', 'video.publish']

/** TikTok's page where a person allows access (Login Kit for Web). Apps on servers have a secret and no PKCE there. */
export function tiktokAuthorization(parts: NetworkParts): Authorization {
  return {
    asks: [],
    async begin({ state, returnUrl }) {
      const url = withQuery(
        `${parts.addressOf('https://www.tiktok.com')}/${API_VERSIONS.tiktok.version}/auth/authorize/`,
        {
          client_key: parts.settings.TIKTOK_CLIENT_KEY ?? '',
          response_type: 'code',
          scope: SCOPES.join(','),
          redirect_uri: returnUrl,
          state,
        },
      )
      return { url, kept: {} }
    },
    finish: (request) => finish(parts, request),
  }
}

async function finish(parts: NetworkParts, request: FinishRequest): Promise<Finished> {
  const tokens = await tokensFor(request, (form) => tokenRequest(parts, request.signal, form))
  if ('declined' in tokens) return tokens
  const given = tokens.scope?.split(',') ?? []
  const missing = SCOPES.filter((scope) => !given.includes(scope))
  if (missing.length > 0) return { declined: `TikTok was not allowed to give this: ${missing.join(', ')}.` }
  const credentials = credentialsOf(tokens)
  return { choices: [{ profile: await profileOf(apiOf(parts, credentials, request.signal)), credentials }] }
}

/** TikTok takes each refresh token once, so what it answers replaces both tokens. */
export function renewed(parts: NetworkParts, credentials: Credentials, signal: AbortSignal): Promise<Access> {
  return renewedBy('TikTok', credentials, (form) => tokenRequest(parts, signal, form))
}

export async function revoked(parts: NetworkParts, { access_token }: Credentials, signal: AbortSignal): Promise<void> {
  if (access_token) await revokeToken(tokenRequest(parts, signal, { token: access_token }, 'revoke'))
}

function tokenRequest(
  { web, settings, addressOf }: NetworkParts,
  signal: AbortSignal,
  form: Record<string, string>,
  what: 'token' | 'revoke' = 'token',
) {
  const app = { client_key: settings.TIKTOK_CLIENT_KEY ?? '', client_secret: settings.TIKTOK_CLIENT_SECRET ?? '' }
  const url = `${addressOf('https://open.tiktokapis.com')}/${API_VERSIONS.tiktok.version}/oauth/${what}/`
  return { fetch: guardedFetch(web, signal), url, form: { ...app, ...form } }
}
