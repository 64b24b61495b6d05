import { z } from 'zod'
import type { DayFigures, Profile, ReceivedComment, Snapshot, SyncRequest } from '../../provider.ts'
import { Insights, listOf, part } from '../api.ts'
import { daysBefore, daysIn, orNone, readPosts, secondsOf, totalsIn } from '../insights.ts'
import type { InstagramAccount } from './publish.ts'

const OF_MEDIA = 'views,reach,shares,saved'
/** The maximum range in days: Instagram reports new followers only for the last 30 days, and only from 100 followers on. */
const MOST_DAYS = 29

const Reply = z.object({
  id: z.string(),
  text: z.string().default(''),
  username: z.string().optional(),
  like_count: z.number().default(0),
})
const Comments = listOf(Reply.extend({ replies: listOf(Reply).optional() }))
const Media = z.object({ like_count: z.number().default(0), comments_count: z.number().default(0) })
const REPLY = 'id,text,username,like_count'

/** Returns the account's daily figures and the posts' totals. Instagram has only totals of posts, so each counts on the post's date. */
export async function snapshotOf(account: InstagramAccount, profile: Profile, request: SyncRequest): Promise<Snapshot> {
  const days = await daysOfAccount(account, request)
  const read = await readPosts(account.graph, request, async ({ id, publishedAt }) => ({
    comments: await commentsOf(account, id),
    figures: await figuresOf(account, id, publishedAt.slice(0, 10)),
  }))
  return { profile, comments: read.comments, days: [...days, ...read.days] }
}

async function figuresOf({ graph }: InstagramAccount, id: string, date: string): Promise<DayFigures> {
  const media = await graph.get(`/${part(id)}`, Media, { fields: 'like_count,comments_count' })
  const totals = totalsIn(await orNone(graph.get(`/${part(id)}/insights`, Insights, { metric: OF_MEDIA })))
  return {
    ...{ date, post: id },
    figures: {
      ...{ impressions: totals.get('views') ?? 0, reach: totals.get('reach') ?? 0 },
      ...{ likes: media.like_count, comments: media.comments_count },
      ...{ shares: totals.get('shares') ?? 0, saves: totals.get('saved') ?? 0 },
    },
  }
}

async function daysOfAccount({ graph, id }: InstagramAccount, { from, to }: SyncRequest): Promise<DayFigures[]> {
  const first = daysBefore(to, MOST_DAYS)
  const range = { period: 'day', since: secondsOf(from > first ? from : first), until: secondsOf(to, 1) }
  const ask = (metric: string) => orNone(graph.get(`/${part(id)}/insights`, Insights, { metric, ...range }))
  const [reach, gained] = [await ask('reach'), await ask('follower_count')]
  const days = daysIn({ data: [...reach.data, ...gained.data] })
  return [...days].map(([date, figures]) => ({
    ...{ date, post: null, followersUnknown: true },
    figures: { reach: figures.get('reach') ?? 0, followers_gained: figures.get('follower_count') ?? 0 },
  }))
}

async function commentsOf({ graph }: InstagramAccount, post: string): Promise<ReceivedComment[]> {
  const query = { fields: `${REPLY},replies{${REPLY}}`, limit: '50' }
  const { data } = await graph.get(`/${part(post)}/comments`, Comments, query)
  return data
    .toReversed()
    .flatMap(({ replies, ...comment }) => [
      commentOf(comment, post, null),
      ...(replies?.data ?? []).map((one) => commentOf(one, post, comment.id)),
    ])
}

function commentOf(
  { id, text, username, like_count }: z.output<typeof Reply>,
  post: string,
  parent: string | null,
): ReceivedComment {
  return {
    ...{ id, post, parent, content: text, likesCount: like_count },
    ...{ authorName: username ?? 'Somebody on Instagram', authorUsername: username ?? null },
  }
}
