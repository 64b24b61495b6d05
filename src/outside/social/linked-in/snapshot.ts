import { postsInTurn } from '../posts-in-turn.ts'
import {
  PlatformRefusedError,
  type PostTotals,
  type ReceivedComment,
  type Snapshot,
  type SyncRequest,
} from '../provider.ts'
import { type Api, GoneError } from './api.ts'
import { commentsOn, urnOf } from './comments.ts'
import { profileOf } from './profile.ts'
import { type Comment, Metadata } from './shapes.ts'

/** Posts that are read at once, the newest: each takes two requests. */
const READ = 20
const NOTHING = { impressions: 0, reach: 0, shares: 0, clicks: 0, saves: 0 }

/** LinkedIn lets only approved apps read reactions and comments of members' posts; for others there are none. It gives totals and no days. */
export async function snapshotOf(api: Api, { posts, now }: SyncRequest): Promise<Snapshot> {
  const profile = await profileOf(api)
  const totals: PostTotals[] = []
  const comments: ReceivedComment[] = []
  try {
    for (const { id } of postsInTurn(posts, now, READ)) {
      const read = await readPost(api, id)
      if (read === null) continue
      totals.push({ post: id, figures: read.figures })
      comments.push(...read.comments.toReversed().map((one) => commentOf(one, id)))
    }
  } catch (error) {
    if (!(error instanceof PlatformRefusedError) || error.expired) throw error
  }
  return { profile, comments, days: [], ...(totals.length > 0 && { totals }) }
}

/** Null for a post that was deleted on LinkedIn. */
async function readPost(api: Api, id: string): Promise<{ figures: PostTotals['figures']; comments: Comment[] } | null> {
  try {
    const path = `/rest/socialMetadata/${encodeURIComponent(id)}`
    const { reactionSummaries, commentSummary } = (await api.call(path, Metadata)).body
    const likes = Object.values(reactionSummaries).reduce((sum, { count }) => sum + count, 0)
    const figures = { ...NOTHING, likes, comments: commentSummary?.count ?? 0 }
    return { figures, comments: await commentsOn(api, id) }
  } catch (error) {
    if (error instanceof GoneError) return null
    throw error
  }
}

/** Members are named by ids alone. */
function commentOf(one: Comment, post: string): ReceivedComment {
  return {
    ...{ id: urnOf(one, post), post, parent: one.parentComment ?? null },
    ...{ authorName: 'LinkedIn member', authorUsername: one.actor.replace(/^urn:li:\w+:/, '') },
    ...{ content: one.message.text, likesCount: one.likesSummary?.totalLikes ?? 0 },
  }
}
