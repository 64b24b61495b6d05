import { guardedFetch, type NetworkEntry, type NetworkParts, newestFirst, orElse } from '../network.ts'
import { codeFlow, credentialsOf, firstRenewal, renewedBy, revokeToken, tokensFor } from '../oauth.ts'
import type { PostTotals, ReceivedComment, Snapshot, SyncRequest } from '../provider.ts'
import {
  type Api,
  apiOf,
  type Comment,
  channelOf,
  channelsOf,
  choiceOf,
  limitsOf,
  profileOf,
  ReasonedRefusalError,
  Videos,
} from './api.ts'
import { actOn, answersTo, threadsOf, wordsOf } from './comments.ts'
import { publishVideo } from './publish.ts'

/**
 * The maximum number of videos per request, and the number of newest videos whose comments are read. Each request costs one of
 * 10,000 units a day.
 */
const VIDEOS_PER_REQUEST = 50
const POSTS_PER_SYNC = 20

/** The only scope needed: it allows uploads, comments and reading (OAuth scopes for YouTube). */
const SCOPE = 'https://www.googleapis.com/auth/youtube.force-ssl'

export const youtubeNetwork: NetworkEntry = {
  name: 'youtube-network',
  platforms: ['youtube'],
  settings: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  steps: [
    'In the Google Cloud console, make a project and enable the YouTube Data API v3.',
    'Configure the consent screen with the scope youtube.force-ssl, and publish the app: access to an app in testing ends after 7 days.',
    'Make an OAuth client ID of the type Web application.',
    'Ask Google for an audit of the project: until then, YouTube keeps every video private that an app uploads.',
  ],
  open: (parts) => ({
    authorization: codeFlow({
      page: `${parts.addressOf('https://accounts.google.com')}/o/oauth2/v2/auth`,
      // Google returns a refresh token each time only with these values of `access_type` and `prompt`.
      parameters: {
        ...{ client_id: parts.settings.GOOGLE_CLIENT_ID ?? '', scope: SCOPE },
        ...{ access_type: 'offline', prompt: 'consent' },
      },
      proves: true,
      async finish(request, code) {
        const tokens = await tokensFor(request, code, (form) => tokenRequest(parts, request.signal, form))
        if (!tokens.scope?.split(' ').includes(SCOPE)) return { declined: 'Access to YouTube was not allowed.' }
        const credentials = credentialsOf(tokens)
        const channels = await channelsOf(apiOf(parts, credentials, request.signal))
        if (channels.length === 0) return { declined: 'This Google account has no YouTube channel.' }
        return { choices: channels.map((channel) => choiceOf(channel, credentials)) }
      },
    }),
    async connect({ login: { credentials }, signal }) {
      const channel = await channelOf(apiOf(parts, credentials, signal))
      const access = { credentials: { ...credentials, channel: channel.id }, renewAt: firstRenewal(credentials) }
      return { profile: profileOf(channel), limits: limitsOf(channel), ...access }
    },
    renew: ({ login, signal }) => renewedBy('YouTube', login.credentials, (form) => tokenRequest(parts, signal, form)),
    /** Revokes the refresh token, which also revokes all access tokens derived from it. */
    async revoke({ login: { credentials }, signal }) {
      const token = credentials.refresh_token ?? credentials.access_token
      if (!token) return
      const url = `${parts.addressOf('https://oauth2.googleapis.com')}/revoke`
      await revokeToken({ fetch: guardedFetch(parts.web, signal), url, form: { token } })
    },
    publish: (request) => publishVideo(parts, apiOf(parts, request.login.credentials, request.signal), request),
    sync: (request) => snapshotOf(apiOf(parts, request.login.credentials, request.signal), request),
    comment: (request) => actOn(apiOf(parts, request.login.credentials, request.signal), request),
  }),
}

function tokenRequest({ web, settings, addressOf }: NetworkParts, signal: AbortSignal, form: Record<string, string>) {
  const app = { client_id: settings.GOOGLE_CLIENT_ID ?? '', client_secret: settings.GOOGLE_CLIENT_SECRET ?? '' }
  const url = `${addressOf('https://oauth2.googleapis.com')}/token`
  return { fetch: guardedFetch(web, signal), url, form: { ...app, ...form } }
}

/** Returns the videos' totals, since YouTube has no daily figures. Views count as impressions. */
async function snapshotOf(api: Api, { posts }: SyncRequest): Promise<Snapshot> {
  const channel = await channelOf(api)
  const newest = newestFirst(posts)
  const totals: PostTotals[] = []
  for (let start = 0; start < newest.length; start += VIDEOS_PER_REQUEST) {
    const some = newest.slice(start, start + VIDEOS_PER_REQUEST)
    const ids = some.map(({ id }) => encodeURIComponent(id)).join(',')
    const { items } = await api.call(`/videos?part=statistics&id=${ids}`, Videos)
    for (const { id, statistics } of items) {
      if (!statistics) continue
      const { viewCount: impressions, likeCount: likes, commentCount: comments } = statistics
      totals.push({ post: id, figures: { impressions, likes, comments } })
    }
  }
  const comments: ReceivedComment[] = []
  for (const { id } of newest.slice(0, POSTS_PER_SYNC))
    comments.push(...(await orElse(commentsOf(api, id), [], hasNoComments)))
  return { profile: profileOf(channel), limits: limitsOf(channel), comments, days: [], totals }
}

/** Returns whether comments are disabled or the video no longer exists. */
function hasNoComments(error: unknown): boolean {
  return error instanceof ReasonedRefusalError && ['commentsDisabled', 'videoNotFound'].includes(error.reason)
}

async function commentsOf(api: Api, post: string): Promise<ReceivedComment[]> {
  const comments: ReceivedComment[] = []
  for (const { snippet, replies } of (await threadsOf(api, post)).toReversed()) {
    const { topLevelComment: top, totalReplyCount } = snippet
    const brought = replies?.comments ?? []
    const answers = totalReplyCount > brought.length ? await answersTo(api, top.id) : brought
    const inOrder = answers.toSorted((one, other) => one.snippet.publishedAt.localeCompare(other.snippet.publishedAt))
    comments.push(commentOf(top, post, null), ...inOrder.map((one) => commentOf(one, post, top.id)))
  }
  return comments
}

function commentOf({ id, snippet }: Comment, post: string, parent: string | null): ReceivedComment {
  return {
    ...{ id, post, parent },
    authorName: snippet.authorDisplayName || 'Somebody on YouTube',
    authorUsername: snippet.authorDisplayName.startsWith('@') ? snippet.authorDisplayName.slice(1) : null,
    content: wordsOf(snippet),
    likesCount: snippet.likeCount,
  }
}
