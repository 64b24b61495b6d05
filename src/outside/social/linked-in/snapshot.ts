import {
  type DayFigures,
  type KnownPost,
  PlatformRefusedError,
  type ReceivedComment,
  type Snapshot,
  type SyncRequest,
} from '../provider.ts'
import type { Api } from './api.ts'
import { commentsOn, urnOf } from './comments.ts'
import { profileOf } from './profile.ts'
import { type Comment, Metadata } from './shapes.ts'

/** Posts that are read at once, the newest: each takes two requests. */
const READ = 20
const NOTHING = { impressions: 0, reach: 0, shares: 0, clicks: 0, saves: 0, followers: 0, followers_gained: 0 }

/**
 * LinkedIn lets only approved apps read reactions and comments of members' posts; for others there are none. It gives totals and
 * no days, so they count on the day of the post.
 */
export async function snapshotOf(api: Api, { posts, from, to }: SyncRequest): Promise<Snapshot> {
  const profile = await profileOf(api)
  const newest = posts.toSorted((one, other) => other.publishedAt.localeCompare(one.publishedAt)).slice(0, READ)
  const days: DayFigures[] = []
  const comments: ReceivedComment[] = []
  try {
    for (const post of newest) {
      const date = post.publishedAt.slice(0, 10)
      if (date >= from && date <= to) days.push(await figuresOf(api, post, date))
      comments.push(...(await commentsOn(api, post.id)).toReversed().map((one) => commentOf(one, post.id)))
    }
  } catch (error) {
    if (!(error instanceof PlatformRefusedError) || error.expired) throw error
  }
  return { profile, comments, days }
}

async function figuresOf(api: Api, { id }: KnownPost, date: string): Promise<DayFigures> {
  const { reactionSummaries, commentSummary } = (
    await api.call(`/rest/socialMetadata/${encodeURIComponent(id)}`, Metadata)
  ).body
  const likes = Object.values(reactionSummaries).reduce((sum, { count }) => sum + count, 0)
  return { date, post: id, figures: { ...NOTHING, likes, comments: commentSummary?.count ?? 0 } }
}

/** Members are named by ids alone. */
function commentOf(one: Comment, post: string): ReceivedComment {
  return {
    ...{ id: urnOf(one, post), post, parent: one.parentComment ?? null },
    ...{ authorName: 'LinkedIn member', authorUsername: one.actor.replace(/^urn:li:\w+:/, '') },
    ...{ content: one.message.text, likesCount: one.likesSummary?.totalLikes ?? 0 },
  }
}
