import {
  type DayFigures,
  type KnownPost,
  PlatformRefusedError,
  type ReceivedComment,
  type Snapshot,
  type SyncRequest,
} from '../provider.ts'
import type { Api } from './api.ts'
import { profileOf } from './profile.ts'
import { type Post, Posts } from './shapes.ts'
import { textOf } from './text.ts'

/** Posts that one request may name, and those whose answers are looked for together, the newest. */
const TOGETHER = 100
const READ = 10
const MOST_ANSWERS = 100
const NOTHING = { reach: 0, clicks: 0, followers: 0, followers_gained: 0 }

/** X gives totals of each post and no days, so they count on the day of the post; it has no reach and clicks of a post. */
export async function snapshotOf(api: Api, { posts, from, to }: SyncRequest): Promise<Snapshot> {
  const { profile, limits } = await profileOf(api)
  const known = posts.filter(({ id }) => /^\d+$/.test(id)).slice(0, TOGETHER)
  if (known.length === 0) return { profile, limits, comments: [], days: [] }
  const days = await figuresOf(api, known, { from, to })
  return { profile, limits, comments: await answersTo(api, known), days }
}

async function figuresOf(
  api: Api,
  posts: KnownPost[],
  { from, to }: Pick<SyncRequest, 'from' | 'to'>,
): Promise<DayFigures[]> {
  const ids = posts.map(({ id }) => id).join(',')
  const { data } = await api.call(`/tweets?ids=${ids}&tweet.fields=public_metrics`, Posts)
  return data.flatMap(({ id, public_metrics: metrics }) => {
    const date = posts.find((one) => one.id === id)?.publishedAt.slice(0, 10) ?? ''
    if (!metrics || date < from || date > to) return []
    const shares = metrics.retweet_count + metrics.quote_count
    const counted = { likes: metrics.like_count, comments: metrics.reply_count, shares }
    const seen = { impressions: metrics.impression_count ?? 0, saves: metrics.bookmark_count ?? 0 }
    return [{ date, post: id, figures: { ...NOTHING, ...counted, ...seen } }]
  })
}

/** Of the last seven days, which is as far as the search reaches. Apps without a paid plan may not search: then there are none. */
async function answersTo(api: Api, posts: KnownPost[]): Promise<ReceivedComment[]> {
  const newest = posts.toSorted((one, other) => other.publishedAt.localeCompare(one.publishedAt)).slice(0, READ)
  const query = encodeURIComponent(newest.map(({ id }) => `conversation_id:${id}`).join(' OR '))
  const fields = 'tweet.fields=author_id,conversation_id,entities,note_tweet,public_metrics,referenced_tweets'
  const path = `/tweets/search/recent?query=${query}&max_results=${MOST_ANSWERS}&${fields}&expansions=author_id`
  try {
    const { data, includes } = await api.call(path, Posts)
    const known = new Set(newest.map(({ id }) => id))
    const found = data.filter(({ id }) => !known.has(id)).toSorted(byId)
    return found.map((one) => commentOf(one, known, includes?.users ?? []))
  } catch (error) {
    if (error instanceof PlatformRefusedError && !error.expired) return []
    throw error
  }
}

function commentOf(
  post: Post,
  known: ReadonlySet<string>,
  users: NonNullable<Posts['includes']>['users'],
): ReceivedComment {
  const author = users.find(({ id }) => id === post.author_id)
  const answers = post.referenced_tweets?.find(({ type }) => type === 'replied_to')?.id ?? null
  return {
    id: post.id,
    post: post.conversation_id ?? null,
    parent: answers === null || known.has(answers) ? null : answers,
    authorName: author?.name ?? author?.username ?? 'Somebody on X',
    authorUsername: author?.username ?? null,
    content: textOf(post),
    likesCount: post.public_metrics?.like_count ?? 0,
  }
}

/** Ids grow with time, and answers come after what they answer. */
function byId(one: Post, other: Post): number {
  return one.id.length - other.id.length || one.id.localeCompare(other.id)
}
