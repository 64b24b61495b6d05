import { z } from 'zod'
import type { DayFigures, KnownPost, Profile, ReceivedComment, Snapshot, SyncRequest } from '../../provider.ts'
import { type Graph, Insights, part } from '../api.ts'
import { daysIn, orNone, readPosts, secondsOf, totalsIn } from '../insights.ts'

const MOST_COMMENTS = 100
/** The metrics of posts, and below of pages, that are free and not deprecated (Page Insights). */
const OF_POST = 'post_media_view,post_total_media_view_unique,post_clicks'
const OF_PAGE = 'page_media_view,page_total_media_view_unique,page_follows,page_daily_follows_unique'

const Comment = z.object({
  id: z.string(),
  message: z.string().default(''),
  from: z.object({ id: z.string(), name: z.string() }).optional(),
  parent: z.object({ id: z.string() }).optional(),
  like_count: z.number().default(0),
})
const Counted = z.object({ summary: z.object({ total_count: z.number().default(0) }).optional() })
const Post = z.object({
  shares: z.object({ count: z.number() }).optional(),
  reactions: Counted.optional(),
  comments: Counted.extend({ data: z.array(Comment).default([]) }).optional(),
})
type Post = z.output<typeof Post>

const COMMENTS = `comments.filter(stream).order(chronological).limit(${MOST_COMMENTS}).summary(total_count){id,message,from{id,name},parent{id},like_count}`
const FIELDS = `shares,reactions.limit(0).summary(total_count),${COMMENTS}`

/** Returns the page's daily figures and its posts' totals. Facebook has no daily figures of posts, so a total counts on the post's date. */
export async function snapshotOf(graph: Graph, profile: Profile, request: SyncRequest): Promise<Snapshot> {
  const days = await daysOfPage(graph, request)
  const read = await readPosts(graph, request, async (known) => {
    const post = await graph.get(`/${part(known.id)}`, Post, { fields: FIELDS })
    const comments = (post.comments?.data ?? []).map((one) => commentOf(one, known.id))
    return { comments, figures: await figuresOf(graph, known, post) }
  })
  return { profile, comments: read.comments, days: [...days, ...read.days] }
}

async function figuresOf(graph: Graph, { id, publishedAt }: KnownPost, post: Post): Promise<DayFigures> {
  const totals = totalsIn(await orNone(graph.get(`/${part(id)}/insights`, Insights, { metric: OF_POST })))
  return {
    ...{ date: publishedAt.slice(0, 10), post: id },
    figures: {
      ...{ impressions: totals.get('post_media_view') ?? 0, reach: totals.get('post_total_media_view_unique') ?? 0 },
      likes: post.reactions?.summary?.total_count ?? 0,
      comments: post.comments?.summary?.total_count ?? 0,
      shares: post.shares?.count ?? 0,
      clicks: totals.get('post_clicks') ?? 0,
    },
  }
}

/** Returns the page's daily views, viewers and followers; Facebook has no daily likes, comments and shares. */
async function daysOfPage(graph: Graph, { from, to }: SyncRequest): Promise<DayFigures[]> {
  const range = { period: 'day', since: secondsOf(from), until: secondsOf(to, 1) }
  const days = daysIn(await orNone(graph.get('/me/insights', Insights, { metric: OF_PAGE, ...range })))
  return [...days].map(([date, figures]) => ({
    ...{ date, post: null, followersUnknown: !figures.has('page_follows') },
    figures: {
      impressions: figures.get('page_media_view') ?? 0,
      reach: figures.get('page_total_media_view_unique') ?? 0,
      followers: figures.get('page_follows') ?? 0,
      followers_gained: figures.get('page_daily_follows_unique') ?? 0,
    },
  }))
}

/** Converts a comment. Facebook reveals its author to apps only with that person's permission. */
function commentOf({ id, message, from, parent, like_count }: z.output<typeof Comment>, post: string): ReceivedComment {
  return {
    ...{ id, post, parent: parent?.id ?? null, content: message, likesCount: like_count },
    ...{ authorName: from?.name ?? 'Somebody on Facebook', authorUsername: null },
  }
}
