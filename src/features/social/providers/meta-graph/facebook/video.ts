import { z } from 'zod'
import type { WebClient } from '../../../../../providers/web/client.ts'
import { isRefusedAlone, orElse } from '../../network.ts'
import { type Login, PlatformRefusedError, type PostedFile, type PublishRequest } from '../../provider.ts'
import { processed, type ReadOptions } from '../../sending.ts'
import { GRAPH_VIDEO, type Graph, part } from '../api.ts'
import type { Memory } from '../earlier.ts'

/** Reads a stream in pieces of a requested length. */
class BytesReader {
  taken = 0
  readonly #chunks: AsyncIterator<Uint8Array>
  #rest: Uint8Array = new Uint8Array()

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  /** Returns the next `wanted` bytes; fewer only at the end of the stream. */
  async take(wanted: number): Promise<Uint8Array<ArrayBuffer>> {
    const parts: Uint8Array[] = []
    let length = 0
    while (length < wanted) {
      if (this.#rest.length === 0) {
        const next = await this.#chunks.next()
        if (next.done) break
        this.#rest = next.value
      }
      const piece = this.#rest.subarray(0, wanted - length)
      this.#rest = this.#rest.subarray(piece.length)
      parts.push(piece)
      length += piece.length
    }
    this.taken += length
    return new Uint8Array(Buffer.concat(parts))
  }
}

/** The time limit for reading a video from the service's own file store, including the upload that runs at the same time. */
const TIMEOUT_MS = 200_000
/** The maximum size of a part, which is held in memory. Facebook may ask for larger parts, and accepts smaller ones. */
const MOST_PART = 16 * 1_048_576

/** The range of bytes that Facebook expects next; its numbers are sent as strings. Both offsets are equal at the end. */
const ByteOffsets = z.object({ start_offset: z.coerce.number(), end_offset: z.coerce.number() })
type ByteOffsets = z.output<typeof ByteOffsets>
const Started = ByteOffsets.extend({ upload_session_id: z.string(), video_id: z.string() })
const Finished = z.object({ success: z.literal(true) })

/** An upload of a page video, which has three phases (Page Videos, `upload_phase`). */
interface Upload {
  session: string
  /** The video's id, which Facebook assigns when the upload starts. */
  video: string
  wanted: ByteOffsets
}

/** The keys under which a video's id and upload session are stored as progress before the video is published. */
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

export interface VideoPost {
  request: PublishRequest
  web: WebClient
  memory: Memory
  video: PostedFile
}

/**
 * Publishes a video of a page once: its id is stored before it can be published, and a later attempt checks that video. It is
 * sent again only if Facebook could not use it or does not have it.
 */
export async function publishVideo(graph: Graph, sending: VideoPost): Promise<string> {
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

/** Returns the video, or null if Facebook does not have it or could not use it. */
async function videoOrNull(graph: Graph, id: string): Promise<Video | null> {
  const video = await orElse(videoOf(graph, id), null, isRefusedAlone)
  return video?.status?.video_status === 'error' ? null : video
}

/** Waits until Facebook has published the video and returns its post. */
function publishedPost(graph: Graph, id: string, signal: AbortSignal): Promise<string> {
  const look = async () => {
    const { post_id, status } = await videoOf(graph, id)
    if (status?.video_status === 'error')
      throw new PlatformRefusedError(status.processing_phase?.errors?.[0]?.message ?? 'Facebook cannot use the video')
    const isPublished = status?.publishing_phase?.publish_status === 'published' || status?.video_status === 'ready'
    return isPublished ? (post_id ?? id) : null
  }
  return processed(look, { signal, unfinished: 'Facebook was not done with the video' })
}

function videoOf(graph: Graph, id: string): Promise<Video> {
  return graph.get(`/${part(id)}`, Video, { fields: 'status,post_id' })
}

function idOfPost(page: string, post: string): string {
  return post.includes('_') ? post : `${page}_${post}`
}

/** Returns the id of the page of an account. Throws a PlatformRefusedError if the credentials contain none. */
export function pageIdOf({ login }: { login: Pick<Login, 'credentials'> }): string {
  const { page_id } = login.credentials
  if (page_id) return page_id
  throw new PlatformRefusedError('credentials need a page_id; open connect_url to give access to a page')
}

async function startUpload(graph: Graph, page: string, { size }: PostedFile): Promise<Upload> {
  const form = { upload_phase: 'start', file_size: String(size) }
  const {
    upload_session_id: session,
    video_id: video,
    ...wanted
  } = await graph.post(pathOf(page), Started, form, GRAPH_VIDEO)
  return { session, video, wanted }
}

/** Sends the bytes of a video in the parts that Facebook requests. */
async function transfer(
  graph: Graph,
  page: string,
  { session, wanted: first }: Upload,
  { url, size }: PostedFile,
  { web, signal }: ReadOptions,
): Promise<void> {
  await web.receive(url, { method: 'GET', timeoutMs: TIMEOUT_MS, signal }, async ({ status, body }) => {
    if (status !== 200) throw new Error(`A file of the post was answered with ${status}`)
    const bytes = new BytesReader(body)
    let wanted = first
    while (wanted.start_offset < wanted.end_offset) {
      if (wanted.start_offset !== bytes.taken) throw new Error('Facebook asked for a part of the video once more')
      const chunk = await bytes.take(Math.min(wanted.end_offset - wanted.start_offset, MOST_PART))
      if (chunk.length === 0) throw new PlatformRefusedError(`A video of the post is shorter than its ${size} bytes`)
      const form = new FormData()
      form.set('upload_phase', 'transfer')
      form.set('upload_session_id', session)
      form.set('start_offset', String(wanted.start_offset))
      form.set('video_file_chunk', new Blob([chunk], { type: 'application/octet-stream' }), 'part')
      wanted = await graph.post(pathOf(page), ByteOffsets, form, GRAPH_VIDEO)
    }
  })
}

/** Publishes the uploaded video. Repeating this request for the same session does not create another video. */
async function finishUpload(graph: Graph, page: string, session: string, description: string): Promise<void> {
  const form = { upload_phase: 'finish', upload_session_id: session, description, published: 'true' }
  await graph.post(pathOf(page), Finished, form, GRAPH_VIDEO)
}

function pathOf(page: string): string {
  return `/${part(page)}/videos`
}
