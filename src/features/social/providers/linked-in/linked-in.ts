import { guardedFetch, type NetworkEntry, type NetworkParts, orElse, postsInTurn } from '../network.ts'
import { codeFlow, renewAt, requestTokens, revokeToken, type Tokens, tokensFor } from '../oauth.ts'
import {
  type Access,
  type Credentials,
  PlatformRefusedError,
  type PostTotals,
  type ReceivedComment,
  type Snapshot,
  type SyncRequest,
} from '../provider.ts'
import { type Api, apiOf, type Comment, GoneError, Metadata, profileOf, versionIn } from './api.ts'
import { act, commentsOn, urnOf } from './comments.ts'
import { publishPost } from './publish.ts'

/** The number of posts per sync; each takes two requests. */
const POSTS_PER_SYNC = 20

/** The scopes of `Sign In with LinkedIn using OpenID Connect` and `Share on LinkedIn`, which are open to every app. */
const SCOPES = 'openid profile w_member_social'

export const linkedIn: NetworkEntry = {
  name: 'linked-in',
  platforms: ['linkedin'],
  settings: ['LINKEDIN_CLIENT_ID', 'LINKEDIN_CLIENT_SECRET'],
  optional: ['LINKEDIN_VERSION'],
  steps: [
    'At LinkedIn for developers, make an app, and request the products Share on LinkedIn and Sign In with LinkedIn using OpenID Connect.',
  ],
  open: (parts) => ({
    apiVersion: versionIn(parts.settings),
    authorization: codeFlow({
      page: `${parts.addressOf('https://www.linkedin.com')}/oauth/v2/authorization`,
      parameters: { client_id: parts.settings.LINKEDIN_CLIENT_ID ?? '', scope: SCOPES },
      async finish(request, code) {
        const tokens = await tokensFor(request, code, (form) => requestOf(parts, request.signal, form))
        const credentials = credentialsOf(tokens)
        const profile = await profileOf(apiOf(parts, credentials, request.signal))
        return { choices: [{ profile, credentials: { ...credentials, member: profile.username } }] }
      },
    }),
    async connect({ login: { credentials }, signal }) {
      const profile = await profileOf(apiOf(parts, credentials, signal))
      const access = { ...credentials, member: profile.username }
      return { profile, credentials: access, renewAt: credentials.renew_at ?? null }
    },
    renew: ({ login, signal }) => renewed(parts, login.credentials, signal),
    async revoke({ login: { credentials }, signal }) {
      const { access_token: token } = credentials
      if (token) await revokeToken(requestOf(parts, signal, { token }, 'revoke'))
    },
    publish: (request) => publishPost(apiOf(parts, request.login.credentials, request.signal), request, parts.web),
    sync: (request) => snapshotOf(apiOf(parts, request.login.credentials, request.signal), request),
    comment: (request) => act(apiOf(parts, request.login.credentials, request.signal), request),
  }),
}

/** Refreshes access. Only approved apps get refresh tokens; for others, access expires after two months. */
async function renewed(parts: NetworkParts, credentials: Credentials, signal: AbortSignal): Promise<Access> {
  const { refresh_token = '' } = credentials
  const tokens = await requestTokens(requestOf(parts, signal, { grant_type: 'refresh_token', refresh_token }))
  const access = { ...credentials, ...credentialsOf(tokens) }
  return { credentials: access, renewAt: access.renew_at ?? null }
}

function requestOf(
  { web, settings, addressOf }: NetworkParts,
  signal: AbortSignal,
  form: Record<string, string>,
  what: 'accessToken' | 'revoke' = 'accessToken',
) {
  const app = { client_id: settings.LINKEDIN_CLIENT_ID ?? '', client_secret: settings.LINKEDIN_CLIENT_SECRET ?? '' }
  return {
    fetch: guardedFetch(web, signal),
    url: `${addressOf('https://www.linkedin.com')}/oauth/v2/${what}`,
    form: { ...form, ...app },
  }
}

function credentialsOf({ access_token, refresh_token, expires_in }: Tokens): Credentials {
  const ends = refresh_token ? renewAt(expires_in) : null
  return { access_token, ...(refresh_token && { refresh_token }), ...(ends && { renew_at: ends }) }
}

/** Returns the posts' totals, since LinkedIn has no daily figures. Only approved apps may read reactions and comments of members' posts. */
async function snapshotOf(api: Api, { posts, now }: SyncRequest): Promise<Snapshot> {
  const profile = await profileOf(api)
  const totals: PostTotals[] = []
  const comments: ReceivedComment[] = []
  try {
    for (const { id } of postsInTurn(posts, now, POSTS_PER_SYNC)) {
      const read = await orElse(readPost(api, id), null, (error) => error instanceof GoneError)
      if (read === null) continue
      totals.push({ post: id, figures: read.figures })
      comments.push(...read.comments.toReversed().map((one) => commentOf(one, id)))
    }
  } catch (error) {
    if (!(error instanceof PlatformRefusedError) || error.expired) throw error
  }
  return { profile, comments, days: [], ...(totals.length > 0 && { totals }) }
}

async function readPost(api: Api, id: string): Promise<{ figures: PostTotals['figures']; comments: Comment[] }> {
  const path = `/rest/socialMetadata/${encodeURIComponent(id)}`
  const { reactionSummaries, commentSummary } = (await api.call(path, Metadata)).body
  const likes = Object.values(reactionSummaries).reduce((sum, { count }) => sum + count, 0)
  const figures = { likes, comments: commentSummary?.count ?? 0 }
  return { figures, comments: await commentsOn(api, id) }
}

/** Converts a comment. LinkedIn identifies its author only by id. */
function commentOf(one: Comment, post: string): ReceivedComment {
  return {
    ...{ id: urnOf(one, post), post, parent: one.parentComment ?? null },
    ...{ authorName: 'LinkedIn member', authorUsername: one.actor.replace(/^urn:li:\w+:/, '') },
    ...{ content: one.message.text, likesCount: one.likesSummary?.totalLikes ?? 0 },
  }
}
