import { API_VERSIONS } from '../../../../providers/api-versions.ts'
import { guardedFetch, isRefusedAlone, type NetworkEntry, type NetworkParts, newestFirst, orElse } from '../network.ts'
import { codeFlow, credentialsOf, firstRenewal, renewedBy, revokeToken, tokensFor } from '../oauth.ts'
import { type KnownPost, PlatformRefusedError, type PostTotals, type Snapshot, type SyncRequest } from '../provider.ts'
import { type Api, apiOf, isAudited, limitsOf, profileOf, Videos } from './api.ts'
import { publishPost, statusOf } from './publish.ts'

/** The maximum number of videos per request, and the number of newest posts per sync. */
const VIDEOS_PER_REQUEST = 20
const POSTS_PER_SYNC = 60
const FIELDS = 'id,view_count,like_count,comment_count,share_count'

/** The scopes for the account's name, followers and posts, and for publishing (Scopes overview). */
const SCOPES = ['user.info.basic', 'user.info.profile', 'user.info.stats', 'video.list', 'video.publish']

export const tiktokNetwork: NetworkEntry = {
  name: 'tiktok-network',
  platforms: ['tiktok'],
  settings: ['TIKTOK_CLIENT_KEY', 'TIKTOK_CLIENT_SECRET'],
  optional: ['TIKTOK_AUDITED'],
  steps: [
    'On TikTok for Developers, make an app with Login Kit for Web and the Content Posting API, with Direct Post turned on.',
    'Apply for the scopes user.info.basic, user.info.profile, user.info.stats, video.list and video.publish.',
    'Verify the domain of PUBLIC_URL under URL properties: TikTok fetches pictures from there.',
    'Have the app audited, and set TIKTOK_AUDITED to true then: until that, only private accounts can post, and only they see the posts.',
  ],
  open: (parts) => ({
    // TikTok's server apps use a secret and no PKCE.
    authorization: codeFlow({
      page: `${parts.addressOf('https://www.tiktok.com')}/${API_VERSIONS.tiktok.version}/auth/authorize/`,
      parameters: { client_key: parts.settings.TIKTOK_CLIENT_KEY ?? '', scope: SCOPES.join(',') },
      async finish(request, code) {
        const tokens = await tokensFor(request, code, (form) => tokenRequest(parts, request.signal, form))
        const given = tokens.scope?.split(',') ?? []
        const missing = SCOPES.filter((scope) => !given.includes(scope))
        if (missing.length > 0) return { declined: `TikTok was not allowed to give this: ${missing.join(', ')}.` }
        const credentials = credentialsOf(tokens)
        return { choices: [{ profile: await profileOf(apiOf(parts, credentials, request.signal)), credentials }] }
      },
    }),
    async connect({ login: { credentials }, signal }) {
      const api = apiOf(parts, credentials, signal)
      const limits = (await limitsOf(api, isAudited(parts))) ?? null
      return { profile: await profileOf(api), limits, credentials, renewAt: firstRenewal(credentials) }
    },
    // TikTok accepts each refresh token once, so both tokens are replaced.
    renew: ({ login, signal }) => renewedBy('TikTok', login.credentials, (form) => tokenRequest(parts, signal, form)),
    async revoke({ login: { credentials }, signal }) {
      const { access_token: token } = credentials
      if (token) await revokeToken(tokenRequest(parts, signal, { token }, 'revoke'))
    },
    publish: (request) => publishPost(parts, apiOf(parts, request.login.credentials, request.signal), request),
    sync: (request) => snapshotOf(apiOf(parts, request.login.credentials, request.signal), request, isAudited(parts)),
    async comment() {
      throw new PlatformRefusedError('TikTok lets apps neither read nor write comments.')
    },
  }),
}

function tokenRequest(
  { web, settings, addressOf }: NetworkParts,
  signal: AbortSignal,
  form: Record<string, string>,
  what: 'token' | 'revoke' = 'token',
) {
  const app = { client_key: settings.TIKTOK_CLIENT_KEY ?? '', client_secret: settings.TIKTOK_CLIENT_SECRET ?? '' }
  const url = `${addressOf('https://open.tiktokapis.com')}/${API_VERSIONS.tiktok.version}/oauth/${what}/`
  return { fetch: guardedFetch(web, signal), url, form: { ...app, ...form } }
}

/** Returns the videos' totals, since TikTok has no daily figures. Views count as impressions. */
async function snapshotOf(api: Api, { posts }: SyncRequest, isAudited: boolean): Promise<Snapshot> {
  const [profile, limits] = [await profileOf(api), await limitsOf(api, isAudited)]
  const newest = newestFirst(posts).slice(0, POSTS_PER_SYNC)
  const totals: PostTotals[] = []
  for (let start = 0; start < newest.length; start += VIDEOS_PER_REQUEST) {
    const known = await withVideoIds(api, newest.slice(start, start + VIDEOS_PER_REQUEST))
    if (known.size === 0) continue
    const filters = { video_ids: [...known.keys()] }
    const { videos } = await api.post(`/video/query/?fields=${FIELDS}`, Videos, { filters })
    for (const { id, view_count, like_count: likes, comment_count: comments, share_count: shares } of videos) {
      const post = known.get(id)
      if (!post) continue
      totals.push({ post: post.id, figures: { impressions: view_count, likes, comments, shares } })
    }
  }
  return { profile, ...(limits && { limits }), comments: [], days: [], totals }
}

/** Maps posts by video id. A post that was published before its video had an id is stored under its publishing id. */
async function withVideoIds(api: Api, posts: readonly KnownPost[]): Promise<Map<string, KnownPost>> {
  const known = new Map<string, KnownPost>()
  for (const post of posts) {
    const id = /^\d+$/.test(post.id) ? post.id : await laterId(api, post.id)
    if (id !== null) known.set(id, post)
  }
  return known
}

async function laterId(api: Api, publishId: string): Promise<string | null> {
  const status = await orElse(statusOf(api, publishId), null, isRefusedAlone)
  return status?.publicaly_available_post_id?.[0] ?? null
}
