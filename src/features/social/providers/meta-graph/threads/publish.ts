import { z } from 'zod'
import { orNoComment } from '../../network.ts'
import type { PostedFile, Profile, Published, PublishRequest } from '../../provider.ts'
import { type Graph, Id, Insights, listOf, part, Quota } from '../api.ts'
import { type ContainerState, publishOnce, requireRoom, settled } from '../containers.ts'
import { isSince, linkIn, type Memory, memoryOf, sameWords } from '../earlier.ts'
import { orNone, totalsIn } from '../insights.ts'

export interface ThreadsAccount {
  graph: Graph
  id: string
}

const User = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string().optional(),
  threads_profile_picture_url: z.string().optional(),
})

/** Returns the owner of a token (Threads API, Profiles). The number of followers takes a separate request. */
export async function profileOf(graph: Graph): Promise<{ id: string; profile: Profile }> {
  const fields = 'id,username,name,threads_profile_picture_url'
  const { id, username, name, threads_profile_picture_url } = await graph.get('/me', User, { fields })
  const followers = await orNone(graph.get('/me/threads_insights', Insights, { metric: 'followers_count' }))
  return {
    id,
    profile: {
      username,
      displayName: name || null,
      profileUrl: `https://www.threads.com/@${username}`,
      avatarUrl: threads_profile_picture_url ?? null,
      followersCount: totalsIn(followers).get('followers_count') ?? null,
    },
  }
}

const NEWEST = 25

const Container = z.object({
  status: z.enum(['EXPIRED', 'ERROR', 'FINISHED', 'IN_PROGRESS', 'PUBLISHED']),
  error_message: z.string().optional(),
})
const Posts = listOf(
  z.object({
    id: z.string(),
    text: z.string().optional(),
    timestamp: z.string().optional(),
    replied_to: z.object({ id: z.string() }).optional(),
  }),
)
const Permalink = z.object({ permalink: z.string().optional() })

/** Publishes a post with its first comment as a reply (Threads API, Posts). */
export async function publishThread(account: ThreadsAccount, request: PublishRequest): Promise<Published> {
  const { text, media, firstComment, signal } = request
  const memory = memoryOf(request)
  const id = await thread(account, { name: 'container', memory, signal, text, media, to: null })
  const { permalink } = await account.graph.get(`/${part(id)}`, Permalink, { fields: 'permalink' })
  const published = { id, url: permalink ?? null, firstCommentId: null }
  if (firstComment === null) return published
  const comment = { name: 'comment_container', memory, signal, text: firstComment, media: [], to: id }
  return { ...published, firstCommentId: await orNoComment(thread(account, comment)) }
}

interface Thread {
  /** The key under which the id of the post's container is stored. */
  name: string
  memory: Memory
  signal: AbortSignal
  text: string
  media: PostedFile[]
  to: string | null
}

export function thread(account: ThreadsAccount, given: Thread): Promise<string> {
  const { graph, id } = account
  const { name, memory, signal, text, to } = given
  return publishOnce({
    ...{ name, memory, signal },
    create: () => create(account, given),
    look: (container) => look(graph, container),
    publish: async (creation_id) => (await graph.post(`/${part(id)}/threads_publish`, Id, { creation_id })).id,
    find: (since) => findThread(account, { text, to, since }),
  })
}

/** Finds a thread that was published after `since` with this text and as a reply to the same post. */
export async function findThread(
  { graph, id }: ThreadsAccount,
  { text, to, since }: { text: string; to: string | null; since: string | undefined },
): Promise<string | null> {
  const query = { fields: 'id,text,timestamp,replied_to', limit: String(NEWEST) }
  const { data } = await graph.get(`/${part(id)}/${to === null ? 'threads' : 'replies'}`, Posts, query)
  const same = data.find(
    (one) => isSince(one.timestamp, since) && sameWords(one.text, text) && (one.replied_to?.id ?? null) === to,
  )
  return same?.id ?? null
}

async function create(account: ThreadsAccount, { text, media, to, signal }: Thread): Promise<string> {
  if (to === null) requireRoom(await quotaOf(account))
  const words: Record<string, string> = text === '' ? {} : { text }
  const answer: Record<string, string> = to === null ? {} : { reply_to_id: to }
  const [only] = media
  if (!only) {
    const link = linkIn(text)
    return make(account, { media_type: 'TEXT', ...words, ...answer, ...(link !== null && { link_attachment: link }) })
  }
  if (media.length === 1) return make(account, { ...fileOf(only), ...words, ...answer })
  const children: string[] = []
  for (const file of media) children.push(await make(account, { ...fileOf(file), is_carousel_item: 'true' }))
  for (const child of children) await settled({ look: (id) => look(account.graph, id), signal }, child)
  return make(account, { media_type: 'CAROUSEL', children: children.join(','), ...words, ...answer })
}

function quotaOf({ graph, id }: ThreadsAccount) {
  return graph.get(`/${part(id)}/threads_publishing_limit`, Quota, { fields: 'quota_usage,config' })
}

async function make({ graph, id }: ThreadsAccount, form: Record<string, string>): Promise<string> {
  return (await graph.post(`/${part(id)}/threads`, Id, form)).id
}

function fileOf({ url, contentType, alternativeText }: PostedFile): Record<string, string> {
  const alternative: Record<string, string> = alternativeText === null ? {} : { alt_text: alternativeText }
  if (contentType.startsWith('video/')) return { media_type: 'VIDEO', video_url: url, ...alternative }
  return { media_type: 'IMAGE', image_url: url, ...alternative }
}

async function look(graph: Graph, container: string): Promise<{ state: ContainerState; words: string }> {
  const { status, error_message } = await graph.get(`/${part(container)}`, Container, {
    fields: 'status,error_message',
  })
  return { state: status, words: error_message ?? 'Threads cannot use a file of the post' }
}
