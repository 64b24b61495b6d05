import type { WebClient } from '../../../../providers/web/client.ts'
import { guardedFetch, orElse, postsInTurn } from '../network.ts'
import { revokeToken } from '../oauth.ts'
import {
  type CommentRequest,
  PlatformRefusedError,
  type PostTotals,
  type Profile,
  type ReceivedComment,
  type Snapshot,
  type SocialProvider,
  type SyncRequest,
} from '../provider.ts'
import { type Api, apiOf, Context, instanceOf, isNotThere, limitsOf, plainText, profileOf, Status } from './api.ts'
import { fediverseAuthorization } from './authorization.ts'
import { answer, publishStatus } from './publish.ts'

/** The number of posts per sync; each takes two of the 300 requests that an instance allows in 5 minutes. */
const POSTS_PER_SYNC = 20

/** Supports all servers with Mastodon's API: with OAuth on the server's page, or with an access token that the owner creates. */
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
    /** Revokes a token of the service's app. A token that the owner created belongs to the owner's app, so only they can revoke it. */
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

/** Returns the posts' totals: an instance has no daily figures, impressions, reach, clicks or saves. */
async function snapshotOf(api: Api, profile: Profile, { posts, now }: SyncRequest): Promise<Snapshot> {
  const totals: PostTotals[] = []
  const comments: ReceivedComment[] = []
  for (const { id } of postsInTurn(posts, now, POSTS_PER_SYNC)) {
    const read = await orElse(readPost(api, id), null, isNotThere)
    if (read === null) continue
    const { favourites_count: likes, replies_count: replies, reblogs_count: shares } = read.status
    totals.push({ post: id, figures: { likes, comments: replies, shares } })
    comments.push(...read.descendants.map((one) => commentOf(one, id)))
  }
  return { profile, comments, days: [], totals }
}

async function readPost(api: Api, id: string): Promise<{ status: Status; descendants: Status[] }> {
  const path = `/api/v1/statuses/${encodeURIComponent(id)}`
  const status = await api.call(path, Status)
  return { status, ...(await api.call(`${path}/context`, Context)) }
}

function commentOf({ id, account, content, in_reply_to_id, favourites_count }: Status, post: string): ReceivedComment {
  return {
    ...{ id, post, parent: in_reply_to_id === post ? null : (in_reply_to_id ?? null) },
    authorName: account.display_name || account.username,
    authorUsername: account.acct,
    content: plainText(content),
    likesCount: favourites_count,
  }
}
