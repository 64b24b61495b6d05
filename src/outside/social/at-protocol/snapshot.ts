import { AppBskyFeedDefs, AppBskyFeedGetPostThread, AppBskyFeedPost } from '@atproto/api'
import type { KnownPost, PostTotals, Profile, ReceivedComment, Snapshot, SyncRequest } from '../provider.ts'
import { refusing, type Session } from './session.ts'

/** Posts that one request may name. */
const TOGETHER = 25
/** Posts whose replies are read, the newest. */
const READ = 10
const DEPTH = 6

/**
 * What the app view of the network says. It counts what each post has had so far, without days, and knows no impressions,
 * reach, clicks or saves.
 */
export async function snapshotOf(session: Session, profile: Profile, request: SyncRequest): Promise<Snapshot> {
  const posts = request.posts.filter(({ id }) => id.startsWith('at://'))
  const totals: PostTotals[] = []
  for (let place = 0; place < posts.length; place += TOGETHER)
    totals.push(...(await totalsOf(session, posts.slice(place, place + TOGETHER))))
  const newest = posts.toSorted((one, other) => other.publishedAt.localeCompare(one.publishedAt)).slice(0, READ)
  const comments: ReceivedComment[] = []
  for (const { id } of newest) comments.push(...(await repliesTo(session, id)))
  return { profile, comments, days: [], totals }
}

/** Of those that are still there. */
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

/** None for a post that was deleted on the network. */
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
  return refusing(async () => {
    try {
      return (await agent.app.bsky.feed.getPostThread(given)).data.thread
    } catch (error) {
      if (error instanceof AppBskyFeedGetPostThread.NotFoundError) return null
      throw error
    }
  }, 'reading the comments')
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
