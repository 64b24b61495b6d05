import type { z } from 'zod'
import { API_VERSIONS } from '../../../api-versions.ts'
import type { NetworkParts } from '../../network.ts'
import { codeIn, withQuery } from '../../oauth.ts'
import {
  type Access,
  type Authorization,
  type Credentials,
  type Finished,
  type FinishRequest,
  PlatformRefusedError,
} from '../../provider.ts'
import { askGraph, graphOf } from '../api.ts'
import { Token } from '../pages.ts'
import { profileOf } from './profile.ts'

const HOST = 'https://graph.threads.net'
export const THREADS = `${HOST}/${API_VERSIONS.threads.version}`

/** What the service does with an account (Threads API, Permissions). */
export const SCOPES = [
  ...['threads_basic', 'threads_content_publish', 'threads_manage_replies', 'threads_read_replies'],
  ...['threads_manage_insights', 'threads_delete'],
]

/** Threads renews tokens that are a day old, and none that have expired: halfway there is time for many tries. */
const RENEWED_AT = 0.5

/** The page of Threads where a person allows access (Threads API, Get access tokens). */
export function threadsAuthorization(parts: NetworkParts): Authorization {
  return {
    asks: [],
    async begin({ state, returnUrl }) {
      const url = withQuery(`${parts.addressOf('https://threads.net')}/oauth/authorize`, {
        client_id: parts.settings.THREADS_APP_ID ?? '',
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
  const { THREADS_APP_ID: client_id = '', THREADS_APP_SECRET: client_secret = '' } = parts.settings
  const form = {
    ...{ client_id, client_secret, grant_type: 'authorization_code', redirect_uri: returnUrl },
    code: answered.code,
  }
  const short = await askGraph(parts, { address: `${HOST}/oauth/access_token`, form, signal }, Token)
  const exchange = { grant_type: 'th_exchange_token', client_secret, access_token: short.access_token }
  const long = await askGraph(parts, { address: `${HOST}/access_token`, query: exchange, signal }, Token)
  const graph = graphOf(parts, { address: THREADS, token: long.access_token, secret: null, signal })
  const { id, profile } = await profileOf(graph)
  return { choices: [{ profile, credentials: { ...credentialsOf(long), user_id: id } }] }
}

/** A token for 60 days more, in place of one that has not expired yet. */
export async function renewed(parts: NetworkParts, credentials: Credentials, signal: AbortSignal): Promise<Access> {
  const { access_token } = credentials
  if (!access_token) throw new PlatformRefusedError('Access to Threads has ended.', { expired: true })
  const query = { grant_type: 'th_refresh_token', access_token }
  const token = await askGraph(parts, { address: `${HOST}/refresh_access_token`, query, signal }, Token)
  const access = { ...credentials, ...credentialsOf(token) }
  return { credentials: access, renewAt: access.renew_at }
}

function credentialsOf({ access_token, expires_in = 0 }: z.output<typeof Token>) {
  return { access_token, renew_at: new Date(Date.now() + expires_in * RENEWED_AT * 1000).toISOString() }
}
