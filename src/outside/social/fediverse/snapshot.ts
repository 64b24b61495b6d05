import { postsInTurn } from '../posts-in-turn.ts'
import type { PostTotals, Profile, ReceivedComment, Snapshot, SyncRequest } from '../provider.ts'
import { type Api, NotThereError } from './api.ts'
import { Context, Status } from './shapes.ts'
import { plainText } from './text.ts'

/** Posts that are read at once, the newest: each takes two requests of the 300 that an instance allows in 5 minutes. */
const READ = 20
const NOTHING = { impressions: 0, reach: 0, clicks: 0, saves: 0 }

/** An instance gives totals of each post and no days; it has no impressions, reach, clicks or saves. */
export async function snapshotOf(api: Api, profile: Profile, { posts, now }: SyncRequest): Promise<Snapshot> {
  const totals: PostTotals[] = []
  const comments: ReceivedComment[] = []
  for (const { id } of postsInTurn(posts, now, READ)) {
    const read = await readPost(api, id)
    if (read === null) continue
    const { favourites_count: likes, replies_count: replies, reblogs_count: shares } = read.status
    totals.push({ post: id, figures: { ...NOTHING, likes, comments: replies, shares } })
    comments.push(...read.descendants.map((one) => commentOf(one, id)))
  }
  return { profile, comments, days: [], totals }
}

/** Null for a post that was deleted on the instance. */
async function readPost(api: Api, id: string): Promise<{ status: Status; descendants: Status[] } | null> {
  const path = `/api/v1/statuses/${encodeURIComponent(id)}`
  try {
    const status = await api.call(path, Status)
    return { status, ...(await api.call(`${path}/context`, Context)) }
  } catch (error) {
    if (error instanceof NotThereError) return null
    throw error
  }
}

function commentOf({ id, account, content, in_reply_to_id, favourites_count }: Status, post: string): ReceivedComment {
  return {
    ...{ id, post, parent: in_reply_to_id === post ? null : (in_reply_to_id ?? null) },
    authorName: account.display_name || account.username,
    authorUsername: account.acct,
    content: plainText(content),
    likesCount: favourites_count,
  }
}
