import { AppBskyFeedDefs, AppBskyFeedGetPostThread, AppBskyFeedPost } from '@atproto/api'
import { newestFirst, orElse } from '../network.ts'
import type {
  Access,
  CommentRequest,
  Connection,
  KnownPost,
  Login,
  PostTotals,
  Profile,
  Published,
  PublishRequest,
  ReceivedComment,
  Snapshot,
  SyncRequest,
} from '../provider.ts'
import { actOn } from './comment.ts'
import type { OAuthParts } from './oauth-client.ts'
import * as oauth from './oauth-session.ts'
import * as byPassword from './password-session.ts'
import { profileOf } from './profile.ts'
import { publishPost } from './publish.ts'
import { refusing, type Session } from './session.ts'

const POSTS_PER_REQUEST = 25
/** The number of newest posts whose replies are read. */
const POSTS_PER_SYNC = 10
const DEPTH = 6

export async function connect(parts: OAuthParts, login: Login, signal: AbortSignal): Promise<Connection> {
  const access = await accessOf(parts, login, signal)
  const session = await sessionOf(parts, { ...login, ...access }, signal)
  return { profile: await profileOf(session), ...access }
}

async function accessOf({ web }: OAuthParts, { credentials }: Login, signal: AbortSignal): Promise<Access> {
  if (!oauth.isGranted(credentials)) return byPassword.signIn(web, { credentials, signal })
  return { credentials, renewAt: oauth.renewAtOf(oauth.savedOf(credentials)) }
}

export function renewed(parts: OAuthParts, login: Login, signal: AbortSignal): Promise<Access> {
  if (oauth.isGranted(login.credentials)) return oauth.renewed(parts, { ...login, signal })
  return byPassword.renewed(parts.web, { ...login, signal })
}

export async function endAccess(parts: OAuthParts, login: Login, signal: AbortSignal): Promise<void> {
  if (oauth.isGranted(login.credentials)) await oauth.revoked(parts, { ...login, signal })
  else await byPassword.ended(parts.web, { ...login, signal })
}

export async function publish(parts: OAuthParts, request: PublishRequest): Promise<Published> {
  return publishPost(await sessionOf(parts, request.login, request.signal), request, parts.web)
}

export async function sync(parts: OAuthParts, request: SyncRequest): Promise<Snapshot> {
  const session = await sessionOf(parts, request.login, request.signal)
  return snapshotOf(session, await profileOf(session), request)
}

export async function comment(parts: OAuthParts, request: CommentRequest): ReturnType<typeof actOn> {
  return actOn(await sessionOf(parts, request.login, request.signal), request)
}

async function sessionOf(parts: OAuthParts, login: Login, signal: AbortSignal): Promise<Session> {
  if (oauth.isGranted(login.credentials)) return oauth.openSession(parts, { ...login, signal })
  return byPassword.openSession(parts.web, { ...login, signal })
}

/** Reads figures from the network's app view: totals of posts, but no daily figures, impressions, reach, clicks or saves. */
async function snapshotOf(session: Session, profile: Profile, request: SyncRequest): Promise<Snapshot> {
  const posts = request.posts.filter(({ id }) => id.startsWith('at://'))
  const totals: PostTotals[] = []
  for (let place = 0; place < posts.length; place += POSTS_PER_REQUEST)
    totals.push(...(await totalsOf(session, posts.slice(place, place + POSTS_PER_REQUEST))))
  const newest = newestFirst(posts).slice(0, POSTS_PER_SYNC)
  const comments: ReceivedComment[] = []
  for (const { id } of newest) comments.push(...(await repliesTo(session, id)))
  return { profile, comments, days: [], totals }
}

async function totalsOf({ agent }: Session, posts: KnownPost[]): Promise<PostTotals[]> {
  const uris = posts.map(({ id }) => id)
  const { data } = await refusing(() => agent.app.bsky.feed.getPosts({ uris }), 'reading the figures')
  return data.posts.map(({ uri, likeCount = 0, replyCount = 0, repostCount = 0, quoteCount = 0 }) => ({
    post: uri,
    figures: {
      ...{ impressions: 0, reach: 0, clicks: 0, saves: 0 },
      ...{ likes: likeCount, comments: replyCount, shares: repostCount + quoteCount },
    },
  }))
}

/** Returns the replies to a post; none if the post was deleted on the network. */
async function repliesTo(session: Session, uri: string): Promise<ReceivedComment[]> {
  const thread = await threadOf(session, uri)
  const found: ReceivedComment[] = []
  const read = (thread: AppBskyFeedDefs.ThreadViewPost | { $type: string }, parent: string | null) => {
    if (!AppBskyFeedDefs.isThreadViewPost(thread)) return
    const { post, replies = [] } = thread
    if (post.uri !== uri) {
      const own = post.author.did === session.did
      found.push({ ...commentOf(post, uri, parent === uri ? null : parent), own })
    }
    for (const one of replies) read(one, post.uri)
  }
  if (thread) read(thread, null)
  return found
}

async function threadOf({ agent }: Session, uri: string) {
  const given = { uri, depth: DEPTH, parentHeight: 0 }
  const isGone = (error: unknown) => error instanceof AppBskyFeedGetPostThread.NotFoundError
  const ask = () => orElse(agent.app.bsky.feed.getPostThread(given), null, isGone)
  return (await refusing(ask, 'reading the comments'))?.data.thread ?? null
}

function commentOf(
  { uri, author, record, likeCount = 0 }: AppBskyFeedDefs.PostView,
  post: string,
  parent: string | null,
): ReceivedComment {
  const written = AppBskyFeedPost.validateRecord(record)
  return {
    ...{ id: uri, post, parent, likesCount: likeCount },
    authorName: author.displayName || author.handle,
    authorUsername: author.handle,
    content: written.success ? written.value.text : '',
  }
}
