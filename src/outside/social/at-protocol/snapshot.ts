import { AppBskyFeedDefs, AppBskyFeedPost } from '@atproto/api'
import type { DayFigures, KnownPost, Profile, ReceivedComment, Snapshot, SyncRequest } from '../provider.ts'
import type { Session } from './session.ts'

/** Posts that one request may name. */
const TOGETHER = 25
/** Posts whose replies are read, the newest. */
const READ = 10
const DEPTH = 6
const NOTHING = { impressions: 0, reach: 0, clicks: 0, saves: 0, followers: 0, followers_gained: 0 }

/**
 * What the app view of the network says. It gives totals of each post and no days, so they count on the day of the post; it has
 * no impressions, reach, clicks or saves. Rejects where no app view answers.
 */
export async function snapshotOf(session: Session, profile: Profile, request: SyncRequest): Promise<Snapshot> {
  const posts = request.posts.filter(({ id }) => id.startsWith('at://'))
  const days: DayFigures[] = []
  for (let place = 0; place < posts.length; place += TOGETHER)
    days.push(...(await figuresOf(session, posts.slice(place, place + TOGETHER), request)))
  const newest = posts.toSorted((one, other) => other.publishedAt.localeCompare(one.publishedAt)).slice(0, READ)
  const comments: ReceivedComment[] = []
  for (const { id } of newest) comments.push(...(await repliesTo(session, id)))
  return { profile, comments, days }
}

async function figuresOf({ agent }: Session, posts: KnownPost[], { from, to }: SyncRequest): Promise<DayFigures[]> {
  const { data } = await agent.app.bsky.feed.getPosts({ uris: posts.map(({ id }) => id) })
  return data.posts.flatMap(({ uri, likeCount = 0, replyCount = 0, repostCount = 0, quoteCount = 0 }) => {
    const date = posts.find(({ id }) => id === uri)?.publishedAt.slice(0, 10) ?? ''
    if (date < from || date > to) return []
    const figures = { ...NOTHING, likes: likeCount, comments: replyCount, shares: repostCount + quoteCount }
    return [{ date, post: uri, figures }]
  })
}

async function repliesTo({ agent }: Session, uri: string): Promise<ReceivedComment[]> {
  const { data } = await agent.app.bsky.feed.getPostThread({ uri, depth: DEPTH, parentHeight: 0 })
  const found: ReceivedComment[] = []
  const read = (thread: AppBskyFeedDefs.ThreadViewPost | { $type: string }, parent: string | null) => {
    if (!AppBskyFeedDefs.isThreadViewPost(thread)) return
    const { post, replies = [] } = thread
    if (post.uri !== uri) found.push(commentOf(post, uri, parent === uri ? null : parent))
    for (const one of replies) read(one, post.uri)
  }
  read(data.thread, null)
  return found
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
