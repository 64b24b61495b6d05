import { guardedFetch } from '../guarded-fetch.ts'
import type { NetworkParts } from '../network.ts'
import { codeIn, renewAt, requestTokens, revokeToken, type Tokens, withQuery } from '../oauth.ts'
import {
  type Access,
  type Authorization,
  type Credentials,
  type Finished,
  type FinishRequest,
  PlatformRefusedError,
} from '../provider.ts'
import { apiOf } from './api.ts'
import { profileOf } from './profile.ts'

/** What the service does with an account (Scopes overview): its name, its followers, its posts, and posting. */
const SCOPES = ['user.info.basic', 'user.info.profile', 'user.info.stats', 'video.list', 'video.publish']

/** TikTok's page where a person allows access (Login Kit for Web). Apps on servers have a secret and no PKCE there. */
export function tiktokAuthorization(parts: NetworkParts): Authorization {
  return {
    asks: [],
    async begin({ state, returnUrl }) {
      const url = withQuery(`${parts.addressOf('https://www.tiktok.com')}/v2/auth/authorize/`, {
        client_key: parts.settings.TIKTOK_CLIENT_KEY ?? '',
        response_type: 'code',
        scope: SCOPES.join(','),
        redirect_uri: returnUrl,
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
  const tokens = await requestTokens(tokenRequest(parts, signal, form))
  const given = tokens.scope?.split(',') ?? []
  const missing = SCOPES.filter((scope) => !given.includes(scope))
  if (missing.length > 0) return { declined: `TikTok was not allowed to give this: ${missing.join(', ')}.` }
  const credentials = credentialsOf(tokens)
  return { choices: [{ profile: await profileOf(apiOf(parts, credentials, signal)), credentials }] }
}

/** TikTok takes each refresh token once, so what it answers replaces both tokens. */
export async function renewed(parts: NetworkParts, credentials: Credentials, signal: AbortSignal): Promise<Access> {
  const { refresh_token } = credentials
  if (!refresh_token)
    throw new PlatformRefusedError('Access to TikTok has ended. Connect the account again.', { expired: true })
  const tokens = await requestTokens(tokenRequest(parts, signal, { grant_type: 'refresh_token', refresh_token }))
  const access = { ...credentials, ...credentialsOf(tokens) }
  return { credentials: access, renewAt: access.renew_at ?? null }
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
  const url = `${addressOf('https://open.tiktokapis.com')}/v2/oauth/${what}/`
  return { fetch: guardedFetch(web, signal), url, form: { ...app, ...form } }
}

function credentialsOf({ access_token, refresh_token, expires_in }: Tokens): Credentials {
  const ends = renewAt(expires_in)
  return { access_token, ...(refresh_token && { refresh_token }), ...(ends && { renew_at: ends }) }
}
