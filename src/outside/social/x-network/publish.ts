import type { WebClient } from '../../web/client.ts'
import { PlatformRefusedError, type Published, type PublishRequest } from '../provider.ts'
import type { Api } from './api.ts'
import { uploaded } from './media.ts'
import { Created, Posts } from './shapes.ts'
import { comparable, textOf } from './text.ts'

/** A post with the same words is an earlier try only if it is this young; X itself refuses the same words for about as long. */
const DAY_MS = 24 * 60 * 60 * 1000
const NEWEST = 50

/** Publishes a post with its first comment as an answer to it. X has no keys for requests, so an earlier try is looked for. */
export async function publishPost(api: Api, request: PublishRequest, web: WebClient): Promise<Published> {
  const { again, text, firstComment, media, signal, login } = request
  const earlier = again ? await newestOf(api) : []
  const known = earlierIn(earlier, text, null)
  const id = known ?? (await create(api, text, { media_ids: await uploaded(api, media, { web, signal }) }))
  const url = `https://x.com/${login.username ?? 'i'}/status/${id}`
  if (firstComment === null) return { id, url, firstCommentId: null }
  const comment =
    (known === null ? null : earlierIn(earlier, firstComment, id)) ?? (await answered(api, firstComment, id))
  return { id, url, firstCommentId: comment }
}

/** Answers a post, once: where an earlier try may have done so, it is looked for. */
export async function answer(
  api: Api,
  { to, text, again }: { to: string; text: string; again: boolean },
): Promise<string> {
  const known = again ? earlierIn(await newestOf(api), text, to) : null
  return known ?? create(api, text, { to })
}

/** Null where X refuses the comment: the post is out, and must not be sent again for it. */
async function answered(api: Api, text: string, to: string): Promise<string | null> {
  try {
    return await create(api, text, { to })
  } catch (error) {
    if (error instanceof PlatformRefusedError) return null
    throw error
  }
}

async function create(api: Api, text: string, more: { media_ids?: string[]; to?: string }): Promise<string> {
  const { media_ids = [], to } = more
  const body = {
    ...(text !== '' && { text }),
    ...(media_ids.length > 0 && { media: { media_ids } }),
    ...(to !== undefined && { reply: { in_reply_to_tweet_id: to } }),
  }
  const { data } = await api.call('/tweets', Created, { method: 'POST', body })
  return data.id
}

async function newestOf(api: Api): Promise<Posts['data']> {
  const fields = 'created_at,entities,note_tweet,referenced_tweets'
  const { data } = await api.call(`/users/${api.userId}/tweets?max_results=${NEWEST}&tweet.fields=${fields}`, Posts)
  return data
}

/** What an earlier try has posted whose answer was lost: the same words, and an answer to the same post. */
function earlierIn(posts: Posts['data'], text: string, to: string | null): string | null {
  const youngest = Date.now() - DAY_MS
  const same = posts.find((post) => {
    const answers = post.referenced_tweets?.find(({ type }) => type === 'replied_to')?.id ?? null
    const isYoung = Date.parse(post.created_at ?? '') > youngest
    return isYoung && answers === to && comparable(textOf(post)) === comparable(text)
  })
  return same?.id ?? null
}
