import { z } from 'zod'
import type { WebClient } from '../../../web/client.ts'
import type { Published, PublishRequest } from '../../provider.ts'
import { type Graph, part } from '../api.ts'
import { isSince, linkIn, type Memory, memoryOf, noteMoment, orNoComment, sameWords } from '../earlier.ts'
import { Id, listOf } from '../shapes.ts'
import { answerOnce } from './comments.ts'
import { pageIdOf } from './page-id.ts'
import { photosOf } from './photos.ts'
import { publishVideo } from './video.ts'

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
  const video = media.find(({ contentType }) => contentType.startsWith('video/'))
  const id = video
    ? await publishVideo(graph, { request, web, memory, video })
    : await publishInFeed(graph, { memory, text, photos: await photosOf(graph, { request, web, memory }), request })
  const { permalink_url } = await graph.get(`/${part(id)}`, Permalink, { fields: 'permalink_url' })
  const published = { id, url: permalink_url ?? null, firstCommentId: null }
  if (firstComment === null) return published
  const answer = { to: id, text: firstComment, again, page: login.credentials.page_id }
  return { ...published, firstCommentId: await orNoComment(answerOnce(graph, answer)) }
}

interface InFeed {
  request: PublishRequest
  memory: Memory
  text: string
  /** Ids of photos that are not published yet. */
  photos: string[]
}

async function publishInFeed(graph: Graph, { request, memory, text, photos }: InFeed): Promise<string> {
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

/** Photos belong to one post; a post without photos is known by its words. */
function isSamePost({ message, attachments }: Post, text: string, photos: string[]): boolean {
  if (photos.length === 0) return sameWords(message, text)
  const shown = (attachments?.data ?? []).flatMap((one) => [one, ...(one.subattachments?.data ?? [])])
  return shown.some(({ target }) => target?.id !== undefined && photos.includes(target.id))
}
