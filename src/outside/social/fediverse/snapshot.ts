import type { DayFigures, Profile, ReceivedComment, Snapshot, SyncRequest } from '../provider.ts'
import type { Api } from './api.ts'
import { Context, Status } from './shapes.ts'
import { plainText } from './text.ts'

/** Posts that are read at once, the newest: each takes two requests of the 300 that an instance allows in 5 minutes. */
const READ = 20
const NOTHING = { impressions: 0, reach: 0, clicks: 0, saves: 0, followers: 0, followers_gained: 0 }

/** An instance gives totals of each post and no days, so they count on the day of the post; it has no impressions, reach, clicks or saves. */
export async function snapshotOf(api: Api, profile: Profile, { posts, from, to }: SyncRequest): Promise<Snapshot> {
  const newest = posts.toSorted((one, other) => other.publishedAt.localeCompare(one.publishedAt)).slice(0, READ)
  const days: DayFigures[] = []
  const comments: ReceivedComment[] = []
  for (const { id, publishedAt } of newest) {
    const path = `/api/v1/statuses/${encodeURIComponent(id)}`
    const { favourites_count: likes, replies_count: replies, reblogs_count: shares } = await api.call(path, Status)
    const date = publishedAt.slice(0, 10)
    if (date >= from && date <= to)
      days.push({ date, post: id, figures: { ...NOTHING, likes, comments: replies, shares } })
    const { descendants } = await api.call(`${path}/context`, Context)
    comments.push(...descendants.map((one) => commentOf(one, id)))
  }
  return { profile, comments, days }
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
