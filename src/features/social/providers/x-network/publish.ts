import { setTimeout as delay } from 'node:timers/promises'
import { DAY_MS } from '../../../../contract/values/values.ts'
import type { WebClient } from '../../../../providers/web/client.ts'
import { orNoComment } from '../network.ts'
import { PlatformRefusedError, type PostedFile, type Published, type PublishRequest } from '../provider.ts'
import { isVideo, partsOf, type ReadOptions } from '../sending.ts'
import { Anything, type Api, Created, comparable, Posts, textOf, Upload } from './api.ts'

/** The part size; X accepts at most 5 MB. */
const PART_BYTES = 4_000_000
const LONGEST_LOOK_S = 10
const MOST_LOOKS = 40

/** A post with the same text counts as that of an earlier attempt for a day; X itself refuses duplicates for about as long. */
const NEWEST = 50

/** Publishes a post with its first comment as a reply. Without idempotency keys at X, a retry first searches for an earlier post. */
export async function publishPost(api: Api, request: PublishRequest, web: WebClient): Promise<Published> {
  const { again, text, firstComment, media, signal, login } = request
  const earlier = again ? await newestOf(api) : []
  const known = earlierIn(earlier, text, null)
  const id = known ?? (await create(api, text, { media_ids: await uploaded(api, media, { web, signal }) }))
  const url = `https://x.com/${login.username ?? 'i'}/status/${id}`
  if (firstComment === null) return { id, url, firstCommentId: null }
  const comment =
    (known === null ? null : earlierIn(earlier, firstComment, id)) ??
    (await orNoComment(create(api, firstComment, { to: id })))
  return { id, url, firstCommentId: comment }
}

/** Replies to a post. If an earlier attempt may have replied, looks for that reply first. */
export async function answer(
  api: Api,
  { to, text, again }: { to: string; text: string; again: boolean },
): Promise<string> {
  const known = again ? earlierIn(await newestOf(api), text, to) : null
  return known ?? create(api, text, { to })
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

/** Finds the post of an earlier attempt whose response was lost: with the same text, and in reply to the same post. */
function earlierIn(posts: Posts['data'], text: string, to: string | null): string | null {
  const youngest = Date.now() - DAY_MS
  const same = posts.find((post) => {
    const answers = post.referenced_tweets?.find(({ type }) => type === 'replied_to')?.id ?? null
    const isYoung = Date.parse(post.created_at ?? '') > youngest
    return isYoung && answers === to && comparable(textOf(post)) === comparable(text)
  })
  return same?.id ?? null
}

/** Uploads the files of a post in parts, waits until X has processed them, adds their descriptions, and returns their ids. */
async function uploaded(api: Api, files: readonly PostedFile[], options: ReadOptions): Promise<string[]> {
  const ids: string[] = []
  for (const file of files) {
    const id = await upload(api, file, options)
    if (file.alternativeText !== null && !isVideo(file)) await describe(api, id, file.alternativeText)
    ids.push(id)
  }
  return ids
}

async function upload(api: Api, file: PostedFile, { web, signal }: ReadOptions): Promise<string> {
  const { contentType: media_type, size: total_bytes } = file
  const begun = { media_type, total_bytes, media_category: categoryOf(media_type) }
  const { data } = await api.call('/media/upload/initialize', Upload, { method: 'POST', body: begun })
  const path = `/media/upload/${data.id}`
  let index = 0
  for await (const part of partsOf(file, { web, signal, partBytes: PART_BYTES })) {
    const form = new FormData()
    form.set('segment_index', String(index++))
    form.set('media', new Blob([new Uint8Array(part)]), 'part')
    await api.call(`${path}/append`, Anything, { method: 'POST', body: form })
  }
  await processed(api, await api.call(`${path}/finalize`, Upload, { method: 'POST' }), signal)
  return data.id
}

function categoryOf(type: string): string {
  if (type.startsWith('video/')) return 'tweet_video'
  return type === 'image/gif' ? 'tweet_gif' : 'tweet_image'
}

async function processed(api: Api, first: Upload, signal: AbortSignal): Promise<void> {
  let { id, processing_info: info } = first.data
  for (let looks = 0; info && info.state !== 'succeeded'; looks++) {
    if (info.state === 'failed')
      throw new PlatformRefusedError(info.error?.message ?? 'X cannot use a file of the post')
    if (looks === MOST_LOOKS) throw new Error('X was not done with a file of the post')
    await delay(Math.min(info.check_after_secs ?? 1, LONGEST_LOOK_S) * 1000, undefined, { signal })
    const { data } = await api.call(`/media/upload?command=STATUS&media_id=${id}`, Upload)
    info = data.processing_info
  }
}

async function describe(api: Api, id: string, text: string): Promise<void> {
  const body = { id, metadata: { alt_text: { text } } }
  await api.call('/media/metadata', Anything, { method: 'POST', body })
}
