import { API_VERSIONS } from '../../../../providers/api-versions.ts'
import { guardedFetch, isRefusedAlone, type NetworkEntry, type NetworkParts, newestFirst, orElse } from '../network.ts'
import { basic, codeFlow, credentialsOf, firstRenewal, renewedBy, revokeToken, tokensFor } from '../oauth.ts'
import type { CommentRequest, DayFigures, KnownPost, ReceivedComment, Snapshot, SyncRequest } from '../provider.ts'
import { Anything, type Api, apiOf, type Post, Posts, profileOf, textOf } from './api.ts'
import { answer, publishPost } from './publish.ts'

/** The maximum number of posts per request, and the number of newest posts whose replies are searched together. */
const POSTS_PER_REQUEST = 100
const POSTS_WITH_REPLIES = 10
const MOST_ANSWERS = 100

/** The scopes that the service needs. `offline.access` adds a refresh token; without it, access ends after two hours. */
const SCOPES = 'tweet.read tweet.write tweet.moderate.write users.read like.write media.write offline.access'

export const xNetwork: NetworkEntry = {
  name: 'x-network',
  platforms: ['x'],
  settings: ['X_CLIENT_ID', 'X_CLIENT_SECRET'],
  steps: [
    'In the developer portal of X, make an app with user authentication: OAuth 2.0, a confidential client (Web App), with the permission to read and write.',
  ],
  open: (parts) => ({
    authorization: codeFlow({
      page: `${parts.addressOf('https://x.com')}/i/oauth2/authorize`,
      parameters: { client_id: parts.settings.X_CLIENT_ID ?? '', scope: SCOPES },
      proves: true,
      async finish(request, code) {
        const given = credentialsOf(await tokensFor(request, code, (form) => requestOf(parts, request.signal, form)))
        const { profile, id } = await profileOf(apiOf(parts, given, request.signal))
        return { choices: [{ profile, credentials: { ...given, user_id: id } }] }
      },
    }),
    async connect({ login: { credentials }, signal }) {
      const { id, profile, limits } = await profileOf(apiOf(parts, credentials, signal))
      return { profile, limits, credentials: { ...credentials, user_id: id }, renewAt: firstRenewal(credentials) }
    },
    // X accepts each refresh token once, so both tokens are replaced.
    renew: ({ login, signal }) => renewedBy('X', login.credentials, (form) => requestOf(parts, signal, form)),
    async revoke({ login, signal }) {
      for (const name of ['refresh_token', 'access_token'] as const) {
        const token = login.credentials[name]
        if (token) await revokeToken(requestOf(parts, signal, { token, token_type_hint: name }, 'revoke'))
      }
    },
    publish: (request) => publishPost(apiOf(parts, request.login.credentials, request.signal), request, parts.web),
    sync: (request) => snapshotOf(apiOf(parts, request.login.credentials, request.signal), request),
    comment: (request) => act(apiOf(parts, request.login.credentials, request.signal), request),
  }),
}

async function act(api: Api, request: CommentRequest): Promise<{ id: string | null }> {
  const { action, comment: tweet_id, content, again } = request
  const post = `/tweets/${encodeURIComponent(tweet_id)}`
  const likes = `/users/${api.userId}/likes`
  if (action === 'reply') return { id: await answer(api, { to: tweet_id, text: content ?? '', again }) }
  if (action === 'delete') await api.call(post, Anything, { method: 'DELETE' })
  else if (action === 'like') await api.call(likes, Anything, { method: 'POST', body: { tweet_id } })
  else if (action === 'unlike')
    await api.call(`${likes}/${encodeURIComponent(tweet_id)}`, Anything, { method: 'DELETE' })
  else await api.call(`${post}/hidden`, Anything, { method: 'PUT', body: { hidden: action === 'hide' } })
  return { id: null }
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

/** Returns the posts' totals, counted on their dates, since X has no daily figures. It also has no reach or clicks of a post. */
async function snapshotOf(api: Api, { posts, from, to }: SyncRequest): Promise<Snapshot> {
  const { profile, limits } = await profileOf(api)
  const known = posts.filter(({ id }) => /^\d+$/.test(id)).slice(0, POSTS_PER_REQUEST)
  if (known.length === 0) return { profile, limits, comments: [], days: [] }
  const days = await figuresOf(api, known, { from, to })
  return { profile, limits, comments: await answersTo(api, known), days }
}

async function figuresOf(
  api: Api,
  posts: KnownPost[],
  { from, to }: Pick<SyncRequest, 'from' | 'to'>,
): Promise<DayFigures[]> {
  const ids = posts.map(({ id }) => id).join(',')
  const { data } = await api.call(`/tweets?ids=${ids}&tweet.fields=public_metrics`, Posts)
  return data.flatMap(({ id, public_metrics: metrics }) => {
    const date = posts.find((one) => one.id === id)?.publishedAt.slice(0, 10) ?? ''
    if (!metrics || date < from || date > to) return []
    const shares = metrics.retweet_count + metrics.quote_count
    const counted = { likes: metrics.like_count, comments: metrics.reply_count, shares }
    const seen = { impressions: metrics.impression_count ?? 0, saves: metrics.bookmark_count ?? 0 }
    return [{ date, post: id, figures: { ...counted, ...seen } }]
  })
}

/** Returns the replies that X's search finds, of the last seven days. Apps without a paid plan may not search and get none. */
async function answersTo(api: Api, posts: KnownPost[]): Promise<ReceivedComment[]> {
  const newest = newestFirst(posts).slice(0, POSTS_WITH_REPLIES)
  const query = encodeURIComponent(newest.map(({ id }) => `conversation_id:${id}`).join(' OR '))
  const fields = 'tweet.fields=author_id,conversation_id,entities,note_tweet,public_metrics,referenced_tweets'
  const path = `/tweets/search/recent?query=${query}&max_results=${MOST_ANSWERS}&${fields}&expansions=author_id`
  const answer = await orElse(api.call(path, Posts), null, isRefusedAlone)
  const known = new Set(newest.map(({ id }) => id))
  const found = (answer?.data ?? []).filter(({ id }) => !known.has(id)).toSorted(byId)
  return found.map((one) => commentOf(one, known, answer?.includes?.users ?? []))
}

function commentOf(
  post: Post,
  known: ReadonlySet<string>,
  users: NonNullable<Posts['includes']>['users'],
): ReceivedComment {
  const author = users.find(({ id }) => id === post.author_id)
  const answers = post.referenced_tweets?.find(({ type }) => type === 'replied_to')?.id ?? null
  return {
    id: post.id,
    post: post.conversation_id ?? null,
    parent: answers === null || known.has(answers) ? null : answers,
    authorName: author?.name ?? author?.username ?? 'Somebody on X',
    authorUsername: author?.username ?? null,
    content: textOf(post),
    likesCount: post.public_metrics?.like_count ?? 0,
  }
}

/** Sorts by id: ids grow with time, so replies come after the posts that they reply to. */
function byId(one: Post, other: Post): number {
  return one.id.length - other.id.length || one.id.localeCompare(other.id)
}
