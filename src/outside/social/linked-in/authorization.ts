import { guardedFetch } from '../guarded-fetch.ts'
import type { NetworkParts } from '../network.ts'
import { codeIn, renewAt, requestTokens, revokeToken, type Tokens, withQuery } from '../oauth.ts'
import type { Access, Authorization, Credentials, Finished, FinishRequest } from '../provider.ts'
import { apiOf } from './api.ts'
import { profileOf } from './profile.ts'

/** Products `Sign In with LinkedIn using OpenID Connect` and `Share on LinkedIn`, which LinkedIn gives to every app. */
const SCOPES = 'openid profile w_member_social'

/** The page of LinkedIn where a person allows access (learn.microsoft.com/linkedin, Authorization Code Flow). */
export function linkedInAuthorization(parts: NetworkParts): Authorization {
  return {
    asks: [],
    async begin({ state, returnUrl }) {
      const url = withQuery(`${parts.addressOf('https://www.linkedin.com')}/oauth/v2/authorization`, {
        response_type: 'code',
        client_id: parts.settings.LINKEDIN_CLIENT_ID ?? '',
        redirect_uri: returnUrl,
        scope: SCOPES,
        state,
      })
      return { url, kept: {} }
    },
    finish: (request) => finish(parts, request),
  }
}

async function finish(parts: NetworkParts, { query, returnUrl, signal }: FinishRequest): Promise<Finished> {
  const answered = codeIn(query)
  if ('declined' in answered) return answered
  const form = { grant_type: 'authorization_code', code: answered.code, redirect_uri: returnUrl }
  const credentials = credentialsOf(await requestTokens(requestOf(parts, signal, form)))
  const profile = await profileOf(apiOf(parts, credentials, signal))
  return { choices: [{ profile, credentials: { ...credentials, member: profile.username } }] }
}

/** Only apps that LinkedIn has approved for it get refresh tokens; for others access ends after two months. */
export async function renewed(parts: NetworkParts, credentials: Credentials, signal: AbortSignal): Promise<Access> {
  const { refresh_token = '' } = credentials
  const tokens = await requestTokens(requestOf(parts, signal, { grant_type: 'refresh_token', refresh_token }))
  const access = { ...credentials, ...credentialsOf(tokens) }
  return { credentials: access, renewAt: access.renew_at ?? null }
}

export async function revoked(parts: NetworkParts, credentials: Credentials, signal: AbortSignal): Promise<void> {
  const { access_token: token } = credentials
  if (token) await revokeToken(requestOf(parts, signal, { token }, 'revoke'))
}

function requestOf(
  { web, settings, addressOf }: NetworkParts,
  signal: AbortSignal,
  form: Record<string, string>,
  what: 'accessToken' | 'revoke' = 'accessToken',
) {
  const app = { client_id: settings.LINKEDIN_CLIENT_ID ?? '', client_secret: settings.LINKEDIN_CLIENT_SECRET ?? '' }
  return {
    fetch: guardedFetch(web, signal),
    url: `${addressOf('https://www.linkedin.com')}/oauth/v2/${what}`,
    form: { ...form, ...app },
  }
}

function credentialsOf({ access_token, refresh_token, expires_in }: Tokens): Credentials {
  const ends = refresh_token ? renewAt(expires_in) : null
  return { access_token, ...(refresh_token && { refresh_token }), ...(ends && { renew_at: ends }) }
}
