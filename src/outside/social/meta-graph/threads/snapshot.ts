import { z } from 'zod'
import { postsInTurn } from '../../posts-in-turn.ts'
import type { DayFigures, KnownPost, ReceivedComment, Snapshot, SyncRequest } from '../../provider.ts'
import { part } from '../api.ts'
import { GoneError } from '../errors.ts'
import { daysIn, orNone, secondsOf, totalsIn } from '../insights.ts'
import { Insights, listOf } from '../shapes.ts'
import { profileOf, type ThreadsAccount } from './profile.ts'

/** Posts that are read at once, the newest: each takes two requests. */
const READ = 20
const OF_POST = 'views,likes,replies,reposts,quotes,shares'
const NOTHING = { reach: 0, clicks: 0, saves: 0, followers: 0, followers_gained: 0 }
const NO_TALK = { likes: 0, comments: 0, shares: 0 }

const Replies = listOf(
  z.object({
    id: z.string(),
    text: z.string().default(''),
    username: z.string().optional(),
    replied_to: z.object({ id: z.string() }).optional(),
  }),
)

/** Threads gives views of each day of a profile, and totals of posts without days: those count on the day of the post. */
export async function snapshotOf(account: ThreadsAccount, request: SyncRequest): Promise<Snapshot> {
  const { profile } = await profileOf(account.graph)
  const posts = postsInTurn(request.posts, request.now, READ)
  const days = await daysOfProfile(account, request)
  const comments: ReceivedComment[] = []
  for (const post of posts) {
    if (account.graph.isAlmostUsedUp()) break
    const read = await readPost(account, post)
    comments.push(...read.comments)
    days.push(...read.days)
  }
  return { profile, comments, days }
}

/** Nothing of a post that was deleted on Threads. */
async function readPost(
  account: ThreadsAccount,
  { id, publishedAt }: KnownPost,
): Promise<Pick<Snapshot, 'comments' | 'days'>> {
  try {
    const comments = await repliesTo(account, id)
    return { comments, days: [await figuresOf(account, id, publishedAt.slice(0, 10))] }
  } catch (error) {
    if (error instanceof GoneError) return { comments: [], days: [] }
    throw error
  }
}

async function figuresOf({ graph }: ThreadsAccount, id: string, date: string): Promise<DayFigures> {
  const totals = totalsIn(await orNone(graph.get(`/${part(id)}/insights`, Insights, { metric: OF_POST })))
  const count = (...names: string[]) => names.reduce((sum, name) => sum + (totals.get(name) ?? 0), 0)
  const talk = { likes: count('likes'), comments: count('replies'), shares: count('reposts', 'quotes', 'shares') }
  return { date, post: id, figures: { ...NOTHING, ...talk, impressions: count('views') } }
}

async function daysOfProfile({ graph, id }: ThreadsAccount, { from, to }: SyncRequest): Promise<DayFigures[]> {
  const query = { metric: 'views', since: secondsOf(from), until: secondsOf(to, 1) }
  const days = daysIn(await orNone(graph.get(`/${part(id)}/threads_insights`, Insights, query)))
  return [...days].map(([date, figures]) => ({
    ...{ date, post: null, followersUnknown: true },
    figures: { ...NOTHING, ...NO_TALK, impressions: figures.get('views') ?? 0 },
  }))
}

async function repliesTo({ graph }: ThreadsAccount, post: string): Promise<ReceivedComment[]> {
  const query = { fields: 'id,text,username,replied_to', reverse: 'false', limit: '50' }
  const { data } = await graph.get(`/${part(post)}/conversation`, Replies, query)
  return data.map(({ id, text, username, replied_to }) => ({
    ...{ id, post, parent: !replied_to || replied_to.id === post ? null : replied_to.id },
    ...{ authorName: username ?? 'Somebody on Threads', authorUsername: username ?? null },
    ...{ content: text, likesCount: 0 },
  }))
}
