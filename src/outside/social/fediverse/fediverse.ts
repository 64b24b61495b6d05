import type { WebClient } from '../../web/client.ts'
import { type CommentRequest, type Connection, PlatformRefusedError, type SocialProvider } from '../provider.ts'
import { type Api, apiOf } from './api.ts'
import { answer, publishStatus } from './publish.ts'
import { Account, Status } from './shapes.ts'
import { snapshotOf } from './snapshot.ts'

/** Mastodon, and every server with its API, by an access token that the owner makes on the instance. */
export function fediverseProvider(web: WebClient): SocialProvider {
  return {
    name: 'fediverse',
    platforms: ['mastodon'],
    simulation: null,
    entry: [
      { name: 'instance', label: 'Server', secret: false, hint: 'Such as mastodon.social' },
      {
        name: 'access_token',
        label: 'Access token',
        secret: true,
        hint: 'On the server under Preferences, Development, New application, with read, write:statuses, write:media and write:favourites',
      },
    ],
    connectUrl: ({ returnUrl }) => returnUrl,
    async connect({ login, signal }) {
      return { profile: await profileOf(apiOf(web, login.credentials, signal)), credentials: login.credentials }
    },
    publish: (request) => publishStatus(apiOf(web, request.login.credentials, request.signal), request, web),
    async sync(request) {
      const api = apiOf(web, request.login.credentials, request.signal)
      return snapshotOf(api, await profileOf(api), request)
    },
    comment: (request) => act(apiOf(web, request.login.credentials, request.signal), request),
  }
}

async function profileOf(api: Api): Promise<Connection['profile']> {
  const { username, display_name, url, avatar, followers_count } = await api.call(
    '/api/v1/accounts/verify_credentials',
    Account,
  )
  return {
    username: `${username}@${new URL(api.instance).hostname}`,
    displayName: display_name || null,
    profileUrl: url,
    avatarUrl: avatar ?? null,
    followersCount: followers_count,
  }
}

const ACTS = { like: 'favourite', unlike: 'unfavourite' }

async function act(api: Api, { action, comment, content, key }: CommentRequest): Promise<{ id: string | null }> {
  const status = `/api/v1/statuses/${encodeURIComponent(comment)}`
  if (action === 'hide' || action === 'unhide')
    throw new PlatformRefusedError('Mastodon cannot hide comments of others')
  if (action === 'reply') return { id: (await answer(api, key, comment, content ?? '', true)).id }
  if (action === 'delete') await api.call(status, Status.partial(), { method: 'DELETE' })
  else await api.call(`${status}/${ACTS[action]}`, Status, { method: 'POST' })
  return { id: null }
}
