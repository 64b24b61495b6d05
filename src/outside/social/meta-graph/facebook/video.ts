import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { WebClient } from '../../../web/client.ts'
import { PlatformRefusedError, type PostedFile, type PublishRequest } from '../../provider.ts'
import { type Graph, part } from '../api.ts'
import type { Memory } from '../earlier.ts'
import { pageIdOf } from './page-id.ts'
import { finishUpload, startUpload, transfer } from './upload.ts'

/** Three minutes in all; after that the job looks again later. */
const FIRST_LOOK_MS = 400
const LONGEST_LOOK_MS = 5_000
const MOST_LOOKS = 42
/** What is noted before Facebook is asked to publish a video: its id, and its upload. */
const VIDEO = 'video'
const SESSION = 'video_session'

const Phase = z.object({ status: z.string().optional(), errors: z.array(z.object({ message: z.string() })).optional() })
const Video = z.object({
  post_id: z.string().optional(),
  status: z
    .object({
      video_status: z.string().optional(),
      uploading_phase: Phase.optional(),
      processing_phase: Phase.optional(),
      publishing_phase: Phase.extend({ publish_status: z.string().optional() }).optional(),
    })
    .optional(),
})
type Video = z.output<typeof Video>

interface Sending {
  request: PublishRequest
  web: WebClient
  memory: Memory
  video: PostedFile
}

/**
 * Publishes a video of a page, once: its id is noted before it can be published, and a later try looks at that video. It is sent
 * again only where Facebook could not use it or does not have it.
 */
export async function publishVideo(graph: Graph, sending: Sending): Promise<string> {
  const { memory, request } = sending
  const page = pageIdOf(request)
  const [earlier, session] = [memory.get(VIDEO), memory.get(SESSION)]
  const known = earlier === undefined || session === undefined ? null : await videoOrNull(graph, earlier)
  if (earlier !== undefined && session !== undefined && known !== null) {
    if (known.status?.uploading_phase?.status === 'in_progress') await finishUpload(graph, page, session, request.text)
    return idOfPost(page, await publishedPost(graph, earlier, request.signal))
  }
  const upload = await startUpload(graph, page, sending.video)
  await transfer(graph, page, upload, sending.video, { web: sending.web, signal: request.signal })
  await memory.note({ [VIDEO]: upload.video, [SESSION]: upload.session })
  await finishUpload(graph, page, upload.session, request.text)
  return idOfPost(page, await publishedPost(graph, upload.video, request.signal))
}

/** Null where Facebook has no such video, or could not use it. */
async function videoOrNull(graph: Graph, id: string): Promise<Video | null> {
  try {
    const video = await videoOf(graph, id)
    return video.status?.video_status === 'error' ? null : video
  } catch (error) {
    if (error instanceof PlatformRefusedError && !error.expired) return null
    throw error
  }
}

/** The post of a video, once Facebook says that it is published. */
async function publishedPost(graph: Graph, id: string, signal: AbortSignal): Promise<string> {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const { post_id, status } = await videoOf(graph, id)
    if (status?.video_status === 'error')
      throw new PlatformRefusedError(status.processing_phase?.errors?.[0]?.message ?? 'Facebook cannot use the video')
    if (status?.publishing_phase?.publish_status === 'published' || status?.video_status === 'ready')
      return post_id ?? id
    await delay(Math.min(FIRST_LOOK_MS * 1.5 ** looks, LONGEST_LOOK_MS), undefined, { signal })
  }
  throw new Error('Facebook was not done with the video')
}

function videoOf(graph: Graph, id: string): Promise<Video> {
  return graph.get(`/${part(id)}`, Video, { fields: 'status,post_id' })
}

function idOfPost(page: string, post: string): string {
  return post.includes('_') ? post : `${page}_${post}`
}
