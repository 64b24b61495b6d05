import type { PostTotals, ReceivedComment, Snapshot, SyncRequest } from '../provider.ts'
import { type Api, ReasonedRefusalError } from './api.ts'
import { answersTo, threadsOf, wordsOf } from './comments.ts'
import { channelOf, limitsOf, profileOf } from './profile.ts'
import { type Comment, Videos } from './shapes.ts'

/** Videos that one request may name, and those whose comments are read, the newest: each costs one of 10,000 units a day. */
const TOGETHER = 50
const READ = 20
const NOTHING = { reach: 0, shares: 0, clicks: 0, saves: 0 }

/** YouTube gives totals of each video and no days. Its views are the impressions. */
export async function snapshotOf(api: Api, { posts }: SyncRequest): Promise<Snapshot> {
  const channel = await channelOf(api)
  const newest = posts.toSorted((one, other) => other.publishedAt.localeCompare(one.publishedAt))
  const totals: PostTotals[] = []
  for (let start = 0; start < newest.length; start += TOGETHER) {
    const some = newest.slice(start, start + TOGETHER)
    const ids = some.map(({ id }) => encodeURIComponent(id)).join(',')
    const { items } = await api.call(`/videos?part=statistics&id=${ids}`, Videos)
    for (const { id, statistics } of items) {
      if (!statistics) continue
      const { viewCount: impressions, likeCount: likes, commentCount: comments } = statistics
      totals.push({ post: id, figures: { ...NOTHING, impressions, likes, comments } })
    }
  }
  const comments: ReceivedComment[] = []
  for (const { id } of newest.slice(0, READ)) comments.push(...(await commentsOf(api, id)))
  return { profile: profileOf(channel), limits: limitsOf(channel), comments, days: [], totals }
}

/** None where comments are turned off, or the video is gone. */
async function commentsOf(api: Api, post: string): Promise<ReceivedComment[]> {
  try {
    const comments: ReceivedComment[] = []
    for (const { snippet, replies } of (await threadsOf(api, post)).toReversed()) {
      const { topLevelComment: top, totalReplyCount } = snippet
      const brought = replies?.comments ?? []
      const answers = totalReplyCount > brought.length ? await answersTo(api, top.id) : brought
      const inOrder = answers.toSorted((one, other) => one.snippet.publishedAt.localeCompare(other.snippet.publishedAt))
      comments.push(commentOf(top, post, null), ...inOrder.map((one) => commentOf(one, post, top.id)))
    }
    return comments
  } catch (error) {
    if (error instanceof ReasonedRefusalError && WITHOUT.includes(error.reason)) return []
    throw error
  }
}

const WITHOUT = ['commentsDisabled', 'videoNotFound']

function commentOf({ id, snippet }: Comment, post: string, parent: string | null): ReceivedComment {
  return {
    ...{ id, post, parent },
    authorName: snippet.authorDisplayName || 'Somebody on YouTube',
    authorUsername: snippet.authorDisplayName.startsWith('@') ? snippet.authorDisplayName.slice(1) : null,
    content: wordsOf(snippet),
    likesCount: snippet.likeCount,
  }
}
