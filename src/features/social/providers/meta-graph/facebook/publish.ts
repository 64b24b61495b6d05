import { z } from 'zod'
import type { WebClient } from '../../../../../providers/web/client.ts'
import { orNoComment } from '../../network.ts'
import type { Published, PublishRequest } from '../../provider.ts'
import { isVideo, wholeFile } from '../../sending.ts'
import { type Graph, Id, listOf, part } from '../api.ts'
import { isSince, linkIn, type Memory, memoryOf, noteMoment, sameWords } from '../earlier.ts'
import { pageIdOf, publishVideo, type VideoPost } from './video.ts'

/** The maximum size of a photo, which is held in memory while it is sent. Facebook's own limit is checked before the post is sent. */
const MOST_BYTES = 20_000_000
const PHOTOS = 'photos'

const NEWEST = 25
const ASKED_AT = 'post_asked_at'

const Permalink = z.object({ permalink_url: z.string().optional() })
const Target = z.object({ target: z.object({ id: z.string().optional() }).optional() })
const Posts = listOf(
  z.object({
    id: z.string(),
    message: z.string().optional(),
    created_time: z.string().optional(),
    attachments: listOf(Target.extend({ subattachments: listOf(Target).optional() })).optional(),
  }),
)
type Post = z.output<typeof Posts>['data'][number]

/** Publishes a post of a page with its first comment (Pages API, Posts). */
export async function publishPost(graph: Graph, request: PublishRequest, web: WebClient): Promise<Published> {
  const { text, media, firstComment, again, login } = request
  const memory = memoryOf(request)
  const video = media.find(isVideo)
  const id = video
    ? await publishVideo(graph, { request, web, memory, video })
    : await publishInFeed(graph, { memory, text, photos: await photosOf(graph, { request, web, memory }), request })
  const { permalink_url } = await graph.get(`/${part(id)}`, Permalink, { fields: 'permalink_url' })
  const published = { id, url: permalink_url ?? null, firstCommentId: null }
  if (firstComment === null) return published
  const answer = { to: id, text: firstComment, again, page: login.credentials.page_id }
  return { ...published, firstCommentId: await orNoComment(answerOnce(graph, answer)) }
}

interface FeedPost {
  request: PublishRequest
  memory: Memory
  text: string
  /** The ids of unpublished photos. */
  photos: string[]
}

async function publishInFeed(graph: Graph, { request, memory, text, photos }: FeedPost): Promise<string> {
  const feed = `/${part(pageIdOf(request))}`
  const since = memory.get(ASKED_AT)
  if (since !== undefined) {
    const fields = 'id,message,created_time,attachments{target{id},subattachments{target{id}}}'
    const { data } = await graph.get(`${feed}/published_posts`, Posts, { fields, limit: String(NEWEST) })
    const known = data.find((one) => isSince(one.created_time, since) && isSamePost(one, text, photos))
    if (known) return known.id
  }
  await noteMoment(memory, ASKED_AT)
  const link = photos.length === 0 ? linkIn(text) : null
  const attached = photos.map((id, index) => [`attached_media[${index}]`, JSON.stringify({ media_fbid: id })])
  const form = {
    ...(text !== '' && { message: text }),
    ...(link !== null && { link }),
    ...Object.fromEntries(attached),
  }
  return (await graph.post(`${feed}/feed`, Id, form)).id
}

/** Recognizes a post by its photos, because each photo belongs to one post only, or by its text if it has no photos. */
function isSamePost({ message, attachments }: Post, text: string, photos: string[]): boolean {
  if (photos.length === 0) return sameWords(message, text)
  const shown = (attachments?.data ?? []).flatMap((one) => [one, ...(one.subattachments?.data ?? [])])
  return shown.some(({ target }) => target?.id !== undefined && photos.includes(target.id))
}

/** Uploads the photos of a post without publishing them (Page Photos). Reuses those of an earlier attempt. */
async function photosOf(graph: Graph, { request, web, memory }: Omit<VideoPost, 'video'>): Promise<string[]> {
  const known = memory.get(PHOTOS)?.split(',')
  if (known?.length === request.media.length) return known
  const ids: string[] = []
  const reading = { what: 'a photo of the post', mostBytes: MOST_BYTES, web, signal: request.signal }
  for (const file of request.media) {
    const form = new FormData()
    form.set('source', new Blob([await wholeFile(file.url, reading)], { type: file.contentType }), 'photo')
    form.set('published', 'false')
    if (file.alternativeText !== null) form.set('alt_text_custom', file.alternativeText)
    ids.push((await graph.post(`/${part(pageIdOf(request))}/photos`, Id, form)).id)
  }
  if (ids.length > 0) await memory.note({ [PHOTOS]: ids.join(',') })
  return ids
}

const NEWEST_COMMENTS = 50

const Own = listOf(
  z.object({ id: z.string(), message: z.string().optional(), from: z.object({ id: z.string() }).optional() }),
)

interface ReplyRequest {
  to: string
  text: string
  /** Whether an earlier attempt may have replied. */
  again: boolean
  page: string | undefined
}

/** Replies to a post or comment as the page. If an earlier attempt may have replied, looks for that reply first. */
export async function answerOnce(graph: Graph, { to, text, again, page }: ReplyRequest): Promise<string> {
  const path = `/${part(to)}/comments`
  if (again) {
    const fields = 'id,message,from{id}'
    const { data } = await graph.get(path, Own, {
      fields,
      order: 'reverse_chronological',
      limit: String(NEWEST_COMMENTS),
    })
    const known = data.find((one) => one.from?.id === page && sameWords(one.message, text))
    if (known) return known.id
  }
  return (await graph.post(path, Id, { message: text })).id
}
