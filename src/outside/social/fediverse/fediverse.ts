import type { WebClient } from '../../web/client.ts'
import { guardedFetch } from '../guarded-fetch.ts'
import { revokeToken } from '../oauth.ts'
import { type CommentRequest, PlatformRefusedError, type SocialProvider } from '../provider.ts'
import { type Api, apiOf } from './api.ts'
import { fediverseAuthorization } from './authorization.ts'
import { instanceOf, limitsOf, profileOf } from './profile.ts'
import { answer, publishStatus } from './publish.ts'
import { Status } from './shapes.ts'
import { snapshotOf } from './snapshot.ts'

/** Mastodon, and every server with its API: on the server's own page, or by an access token that the owner makes there. */
export function fediverseProvider(web: WebClient): SocialProvider {
  return {
    name: 'fediverse',
    platforms: ['mastodon'],
    simulation: null,
    authorization: fediverseAuthorization(web),
    entry: [
      { name: 'instance', label: 'Server', secret: false, hint: 'Such as mastodon.social' },
      {
        name: 'access_token',
        label: 'Access token',
        secret: true,
        hint: 'On the server under Preferences, Development, New application, with read, write:statuses, write:media and write:favourites',
      },
    ],
    async connect({ login, signal }) {
      const api = apiOf(web, login.credentials, signal)
      const instance = await instanceOf(api)
      return { profile: await profileOf(api, instance), credentials: login.credentials, limits: limitsOf(instance) }
    },
    /** A token that the owner has made belongs to an app of theirs, and only they can end it. */
    async revoke({ login: { credentials }, signal }) {
      const { instance, access_token: token = '', client_id, client_secret } = credentials
      if (client_id === undefined || client_secret === undefined) return
      const form = { client_id, client_secret, token }
      await revokeToken({ fetch: guardedFetch(web, signal), url: `${instance}/oauth/revoke`, form })
    },
    publish: (request) => publishStatus(apiOf(web, request.login.credentials, request.signal), request, web),
    async sync(request) {
      const api = apiOf(web, request.login.credentials, request.signal)
      const instance = await instanceOf(api)
      return { ...(await snapshotOf(api, await profileOf(api, instance), request)), limits: limitsOf(instance) }
    },
    comment: (request) => act(apiOf(web, request.login.credentials, request.signal), request),
  }
}

const ACTS = { like: 'favourite', unlike: 'unfavourite' }

async function act(api: Api, { action, comment, content, key, again }: CommentRequest): Promise<{ id: string | null }> {
  const status = `/api/v1/statuses/${encodeURIComponent(comment)}`
  if (action === 'hide' || action === 'unhide')
    throw new PlatformRefusedError('Mastodon cannot hide comments of others')
  if (action === 'reply') return { id: (await answer(api, key, comment, content ?? '', again)).id }
  if (action === 'delete') await api.call(status, Status.partial(), { method: 'DELETE' })
  else await api.call(`${status}/${ACTS[action]}`, Status, { method: 'POST' })
  return { id: null }
}
