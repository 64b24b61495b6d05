import { API_VERSIONS } from '../../api-versions.ts'
import { guardedFetch } from '../guarded-fetch.ts'
import type { NetworkParts } from '../network.ts'
import { basic, withQuery } from '../oauth.ts'
import { credentialsOf, renewedBy, tokensFor } from '../oauth-tokens.ts'
import type { Access, Authorization, Credentials, Finished, FinishRequest } from '../provider.ts'
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

async function finish(parts: NetworkParts, request: FinishRequest): Promise<Finished> {
  const tokens = await tokensFor(request, (form) => tokenRequest(parts, request.signal, form))
  if ('declined' in tokens) return tokens
  const credentials = credentialsOf(tokens)
  const api = apiOf(parts, credentials, request.signal)
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
export function renewed(parts: NetworkParts, credentials: Credentials, signal: AbortSignal): Promise<Access> {
  return renewedBy('Pinterest', credentials, (form) => tokenRequest(parts, signal, form))
}

function tokenRequest({ web, settings, addressOf }: NetworkParts, signal: AbortSignal, form: Record<string, string>) {
  return {
    fetch: guardedFetch(web, signal),
    url: `${addressOf('https://api.pinterest.com')}/${API_VERSIONS.pinterest.version}/oauth/token`,
    authorization: basic(settings.PINTEREST_APP_ID ?? '', settings.PINTEREST_APP_SECRET ?? ''),
    form,
  }
}
