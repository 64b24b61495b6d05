import { guardedFetch } from '../guarded-fetch.ts'
import type { NetworkParts } from '../network.ts'
import { basic, codeIn, renewAt, requestTokens, type Tokens, withQuery } from '../oauth.ts'
import {
  type Access,
  type Authorization,
  type Credentials,
  type Finished,
  type FinishRequest,
  PlatformRefusedError,
} from '../provider.ts'
import { apiOf } from './api.ts'
import { boardsOf, profileOf, userOf } from './profile.ts'

/** What making a pin needs, and the name of the account (API reference, Create Pin and Get user account). */
const SCOPES = ['boards:read', 'boards:write', 'pins:read', 'pins:write', 'user_accounts:read']

/** Pinterest's page where a person allows access. The board to post on is chosen after that, on ours. */
export function pinterestAuthorization(parts: NetworkParts): Authorization {
  return {
    asks: [],
    async begin({ state, returnUrl }) {
      const url = withQuery(`${parts.addressOf('https://www.pinterest.com')}/oauth/`, {
        client_id: parts.settings.PINTEREST_APP_ID ?? '',
        redirect_uri: returnUrl,
        response_type: 'code',
        scope: SCOPES.join(','),
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
  const credentials = credentialsOf(tokens)
  const api = apiOf(parts, credentials, signal)
  const [user, boards] = [await userOf(api), await boardsOf(api)]
  if (boards.length === 0) return { declined: 'This account has no board. Make one on Pinterest, and connect it then.' }
  return {
    choices: boards.map((board) => ({
      profile: profileOf(user, board),
      credentials: { ...credentials, board: board.id },
    })),
  }
}

/** Refresh tokens are replaced too, and last for 60 days from then on. */
export async function renewed(parts: NetworkParts, credentials: Credentials, signal: AbortSignal): Promise<Access> {
  const { refresh_token } = credentials
  if (!refresh_token)
    throw new PlatformRefusedError('Access to Pinterest has ended. Connect the account again.', { expired: true })
  const tokens = await requestTokens(tokenRequest(parts, signal, { grant_type: 'refresh_token', refresh_token }))
  const access = { ...credentials, ...credentialsOf(tokens) }
  return { credentials: access, renewAt: access.renew_at ?? null }
}

function tokenRequest({ web, settings, addressOf }: NetworkParts, signal: AbortSignal, form: Record<string, string>) {
  return {
    fetch: guardedFetch(web, signal),
    url: `${addressOf('https://api.pinterest.com')}/v5/oauth/token`,
    authorization: basic(settings.PINTEREST_APP_ID ?? '', settings.PINTEREST_APP_SECRET ?? ''),
    form,
  }
}

function credentialsOf({ access_token, refresh_token, expires_in }: Tokens): Credentials {
  const ends = renewAt(expires_in)
  return { access_token, ...(refresh_token && { refresh_token }), ...(ends && { renew_at: ends }) }
}
