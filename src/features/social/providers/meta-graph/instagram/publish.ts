import { z } from 'zod'
import { orNoComment } from '../../network.ts'
import type { PostedFile, Published, PublishRequest } from '../../provider.ts'
import { isVideo } from '../../sending.ts'
import { type Graph, Id, listOf, part, Quota } from '../api.ts'
import { type ContainerState, publishOnce, requireRoom, settled } from '../containers.ts'
import { isSince, memoryOf, sameWords } from '../earlier.ts'

const Own = listOf(z.object({ id: z.string(), text: z.string().optional(), username: z.string().optional() }))

interface ReplyRequest {
  /** The path of the request: either `/<media>/comments` or `/<comment>/replies`. */
  edge: string
  text: string
  /** Whether an earlier attempt may have written the comment. */
  again: boolean
  username: string | null
}

const NEWEST = 25

export interface InstagramAccount {
  graph: Graph
  id: string
}

const Container = z.object({
  status_code: z.enum(['EXPIRED', 'ERROR', 'FINISHED', 'IN_PROGRESS', 'PUBLISHED']),
  status: z.string().optional(),
})
const Media = listOf(z.object({ id: z.string(), caption: z.string().optional(), timestamp: z.string().optional() }))
const Permalink = z.object({ permalink: z.string().optional() })

/** Publishes a picture, a reel or a carousel with its first comment (Instagram Platform, Content publishing). */
export async function publishMedia(account: InstagramAccount, request: PublishRequest): Promise<Published> {
  const { graph } = account
  const { text, firstComment, again, login, signal } = request
  const id = await publishOnce({
    ...{ name: 'container', memory: memoryOf(request), signal },
    create: () => create(account, request),
    look: (container) => look(graph, container),
    publish: async (creation_id) => (await graph.post(`${pathOf(account)}/media_publish`, Id, { creation_id })).id,
    find: (since) => find(account, text, since),
  })
  const { permalink } = await graph.get(`/${part(id)}`, Permalink, { fields: 'permalink' })
  const published = { id, url: permalink ?? null, firstCommentId: null }
  if (firstComment === null) return published
  const comment = { edge: `/${part(id)}/comments`, text: firstComment, again, username: login.username }
  return { ...published, firstCommentId: await orNoComment(answerOnce(graph, comment)) }
}

/** Creates the container of a post, for which Instagram fetches the files. */
async function create(account: InstagramAccount, { text, media, signal }: PublishRequest): Promise<string> {
  const quota = { fields: 'quota_usage,config' }
  requireRoom(await account.graph.get(`${pathOf(account)}/content_publishing_limit`, Quota, quota))
  const caption: Record<string, string> = text === '' ? {} : { caption: text }
  const [only] = media
  if (media.length === 1 && only) {
    const form = isVideo(only) ? { media_type: 'REELS', video_url: only.url, share_to_feed: 'true' } : pictureOf(only)
    return make(account, { ...form, ...caption })
  }
  const children: string[] = []
  for (const file of media) {
    const form = isVideo(file) ? { media_type: 'VIDEO', video_url: file.url } : pictureOf(file)
    children.push(await make(account, { ...form, is_carousel_item: 'true' }))
  }
  for (const child of children) await settled({ look: (id) => look(account.graph, id), signal }, child)
  return make(account, { media_type: 'CAROUSEL', children: children.join(','), ...caption })
}

async function make(account: InstagramAccount, form: Record<string, string>): Promise<string> {
  return (await account.graph.post(`${pathOf(account)}/media`, Id, form)).id
}

/** Returns the form for a picture. Only pictures have an alternative text; reels have none. */
function pictureOf({ url, alternativeText }: PostedFile): Record<string, string> {
  return { image_url: url, ...(alternativeText !== null && { alt_text: alternativeText }) }
}

async function look(graph: Graph, container: string): Promise<{ state: ContainerState; words: string }> {
  const found = await graph.get(`/${part(container)}`, Container, { fields: 'status_code,status' })
  return { state: found.status_code, words: found.status ?? 'Instagram cannot use a file of the post' }
}

/** Searches the account's newest posts for this text, because a container does not contain the id of its post. */
async function find(account: InstagramAccount, text: string, since: string | undefined): Promise<string | null> {
  const query = { fields: 'id,caption,timestamp', limit: String(NEWEST) }
  const { data } = await account.graph.get(`${pathOf(account)}/media`, Media, query)
  return data.find((one) => isSince(one.timestamp, since) && sameWords(one.caption, text))?.id ?? null
}

function pathOf({ id }: InstagramAccount): string {
  return `/${part(id)}`
}

/** Writes a comment or reply. If an earlier attempt may have written it, looks for that comment first. */
export async function answerOnce(graph: Graph, { edge, text, again, username }: ReplyRequest): Promise<string> {
  if (again) {
    const { data } = await graph.get(edge, Own, { fields: 'id,text,username', limit: '50' })
    const known = data.find((one) => one.username === username && sameWords(one.text, text))
    if (known) return known.id
  }
  return (await graph.post(edge, Id, { message: text })).id
}
