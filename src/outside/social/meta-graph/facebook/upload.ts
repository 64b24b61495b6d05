import { z } from 'zod'
import type { WebClient } from '../../../web/client.ts'
import { PlatformRefusedError, type PostedFile } from '../../provider.ts'
import { GRAPH_VIDEO, type Graph, part } from '../api.ts'
import { BytesReader } from './bytes-reader.ts'

/** To read a video from the service's own store while it is sent on. */
const TIMEOUT_MS = 200_000
/** One part is held in memory; Facebook may ask for larger ones, and takes smaller ones. */
const MOST_PART = 16 * 1_048_576

/** Offsets are bytes, written as text: the part that Facebook wants next. Both are the same at the end. */
const Wanted = z.object({ start_offset: z.coerce.number(), end_offset: z.coerce.number() })
type Wanted = z.output<typeof Wanted>
const Started = Wanted.extend({ upload_session_id: z.string(), video_id: z.string() })
const Finished = z.object({ success: z.literal(true) })

/** Videos of one page are sent in three phases (Page Videos, `upload_phase`). */
export interface Upload {
  session: string
  /** The video has its id from the start. */
  video: string
  wanted: Wanted
}

interface Sending {
  web: WebClient
  signal: AbortSignal
}

export async function startUpload(graph: Graph, page: string, { size }: PostedFile): Promise<Upload> {
  const form = { upload_phase: 'start', file_size: String(size) }
  const {
    upload_session_id: session,
    video_id: video,
    ...wanted
  } = await graph.post(pathOf(page), Started, form, GRAPH_VIDEO)
  return { session, video, wanted }
}

/** Sends the bytes of a video, each part from where Facebook wants it. */
export async function transfer(
  graph: Graph,
  page: string,
  { session, wanted: first }: Upload,
  { url, size }: PostedFile,
  { web, signal }: Sending,
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
      wanted = await graph.post(pathOf(page), Wanted, form, GRAPH_VIDEO)
    }
  })
}

/** Asks to publish what was sent. Asked again of the same session, it is still one video. */
export async function finishUpload(graph: Graph, page: string, session: string, description: string): Promise<void> {
  const form = { upload_phase: 'finish', upload_session_id: session, description, published: 'true' }
  await graph.post(pathOf(page), Finished, form, GRAPH_VIDEO)
}

function pathOf(page: string): string {
  return `/${part(page)}/videos`
}
