import { guardedFetch } from '../guarded-fetch.ts'
import type { NetworkParts } from '../network.ts'
import { challengeOf, newVerifier, revokeToken, withQuery } from '../oauth.ts'
import { credentialsOf, renewedBy, tokensFor } from '../oauth-tokens.ts'
import type { Access, Authorization, Credentials, Finished, FinishRequest } from '../provider.ts'
import { apiOf } from './api.ts'
import { channelsOf, choiceOf } from './profile.ts'

/** Uploads, comments and reading are all that the service does, and this one allows them all (OAuth scopes for YouTube). */
const SCOPE = 'https://www.googleapis.com/auth/youtube.force-ssl'

/** Google's page where a person allows access (OAuth 2.0 for Web Server Applications). */
export function youtubeAuthorization(parts: NetworkParts): Authorization {
  return {
    asks: [],
    async begin({ state, returnUrl }) {
      const verifier = newVerifier()
      const url = withQuery(`${parts.addressOf('https://accounts.google.com')}/o/oauth2/v2/auth`, {
        response_type: 'code',
        client_id: parts.settings.GOOGLE_CLIENT_ID ?? '',
        redirect_uri: returnUrl,
        scope: SCOPE,
        state,
        code_challenge: challengeOf(verifier),
        code_challenge_method: 'S256',
        // Only with both does Google give a refresh token each time.
        access_type: 'offline',
        prompt: 'consent',
      })
      return { url, kept: { verifier } }
    },
    finish: (request) => finish(parts, request),
  }
}

async function finish(parts: NetworkParts, request: FinishRequest): Promise<Finished> {
  const tokens = await tokensFor(request, (form) => tokenRequest(parts, request.signal, form))
  if ('declined' in tokens) return tokens
  if (!tokens.scope?.split(' ').includes(SCOPE)) return { declined: 'Access to YouTube was not allowed.' }
  const credentials = credentialsOf(tokens)
  const channels = await channelsOf(apiOf(parts, credentials, request.signal))
  if (channels.length === 0) return { declined: 'This Google account has no YouTube channel.' }
  return { choices: channels.map((channel) => choiceOf(channel, credentials)) }
}

/** The refresh token stays the same. */
export function renewed(parts: NetworkParts, credentials: Credentials, signal: AbortSignal): Promise<Access> {
  return renewedBy('YouTube', credentials, (form) => tokenRequest(parts, signal, form))
}

/** Ending the refresh token ends every access that came of it. */
export async function revoked({ web, addressOf }: NetworkParts, credentials: Credentials, signal: AbortSignal) {
  const token = credentials.refresh_token ?? credentials.access_token
  if (!token) return
  const url = `${addressOf('https://oauth2.googleapis.com')}/revoke`
  await revokeToken({ fetch: guardedFetch(web, signal), url, form: { token } })
}

function tokenRequest({ web, settings, addressOf }: NetworkParts, signal: AbortSignal, form: Record<string, string>) {
  const app = { client_id: settings.GOOGLE_CLIENT_ID ?? '', client_secret: settings.GOOGLE_CLIENT_SECRET ?? '' }
  const url = `${addressOf('https://oauth2.googleapis.com')}/token`
  return { fetch: guardedFetch(web, signal), url, form: { ...app, ...form } }
}
