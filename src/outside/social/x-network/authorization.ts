import { API_VERSIONS } from '../../api-versions.ts'
import { guardedFetch } from '../guarded-fetch.ts'
import type { NetworkParts } from '../network.ts'
import { basic, challengeOf, newVerifier, revokeToken, withQuery } from '../oauth.ts'
import { credentialsOf, renewedBy, tokensFor } from '../oauth-tokens.ts'
import type { Access, Authorization, Credentials, Finished, FinishRequest } from '../provider.ts'
import { apiOf } from './api.ts'
import { profileOf } from './profile.ts'

/** What the service does with an account. `offline.access` gives a refresh token; access alone ends after two hours. */
const SCOPES = 'tweet.read tweet.write tweet.moderate.write users.read like.write media.write offline.access'

/** The page of X where a person allows access (docs.x.com, OAuth 2.0 Authorization Code Flow with PKCE). */
export function xAuthorization(parts: NetworkParts): Authorization {
  return {
    asks: [],
    async begin({ state, returnUrl }) {
      const verifier = newVerifier()
      const url = withQuery(`${parts.addressOf('https://x.com')}/i/oauth2/authorize`, {
        response_type: 'code',
        client_id: parts.settings.X_CLIENT_ID ?? '',
        redirect_uri: returnUrl,
        scope: SCOPES,
        state,
        code_challenge: challengeOf(verifier),
        code_challenge_method: 'S256',
      })
      return { url, kept: { verifier } }
    },
    finish: (request) => finish(parts, request),
  }
}

async function finish(parts: NetworkParts, request: FinishRequest): Promise<Finished> {
  const tokens = await tokensFor(request, (form) => requestOf(parts, request.signal, form))
  if ('declined' in tokens) return tokens
  const given = credentialsOf(tokens)
  const { profile, id } = await profileOf(apiOf(parts, given, request.signal))
  return { choices: [{ profile, credentials: { ...given, user_id: id } }] }
}

/** X takes each refresh token once, so what it answers replaces both tokens. */
export function renewed(parts: NetworkParts, credentials: Credentials, signal: AbortSignal): Promise<Access> {
  return renewedBy('X', credentials, (form) => requestOf(parts, signal, form))
}

export async function revoked(parts: NetworkParts, credentials: Credentials, signal: AbortSignal): Promise<void> {
  for (const name of ['refresh_token', 'access_token'] as const) {
    const token = credentials[name]
    if (token) await revokeToken(requestOf(parts, signal, { token, token_type_hint: name }, 'revoke'))
  }
}

function requestOf(
  { web, settings, addressOf }: NetworkParts,
  signal: AbortSignal,
  form: Record<string, string>,
  what: 'token' | 'revoke' = 'token',
) {
  return {
    fetch: guardedFetch(web, signal),
    url: `${addressOf('https://api.x.com')}/${API_VERSIONS.x.version}/oauth2/${what}`,
    authorization: basic(settings.X_CLIENT_ID ?? '', settings.X_CLIENT_SECRET ?? ''),
    form,
  }
}
