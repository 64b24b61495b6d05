import { type Form, refused } from './graph-answers.ts'
import type { Answer, Incoming } from './network-server.ts'

/** The size of the upload chunks that this stand-in requests. */
const PART = 1_000

interface Video {
  id: string
  session: string
  size: number
  bytes: number
  description: string | null
  looks: number
  /** The id of its post; null until it is published. */
  post: string | null
}

type Route = [RegExp, string[], string[], (form: Form, ids: string[], request: Incoming) => Answer]

/** The videos of a page, which are uploaded in three phases (Page Videos). */
export class MetaVideos {
  readonly all: Video[] = []
  /** The result of processing a video. */
  ends: 'ready' | 'error' = 'ready'
  /** Called when an upload is finished. If it returns false, the status of the upload stays in progress. */
  onFinish: (() => boolean) | null = null
  readonly #publish: (id: string, description: string) => string

  constructor(publish: (id: string, description: string) => string) {
    this.#publish = publish
  }

  routes(scopes: string[]): Route[] {
    const parameters = ['upload_phase', 'upload_session_id', 'file_size', 'start_offset', 'video_file_chunk']
    return [
      [
        /^POST \/(101)\/videos$/,
        scopes,
        [...parameters, 'description', 'published'],
        (form, _, { host }) => this.#phase(form, host),
      ],
      [/^GET \/(88\d+)$/, [], ['fields'], (_, [id]) => this.#look(id!)],
    ]
  }

  #phase({ fields, files }: Form, host: string): Answer {
    if (host !== 'graph-video.facebook.com') return refused('Videos are sent to graph-video.facebook.com', 100)
    const phase = fields.get('upload_phase')
    if (phase === 'start') return this.#start(Number(fields.get('file_size')))
    const video = this.all.find(({ session }) => session === fields.get('upload_session_id'))
    if (!video)
      return refused('(#6000) There was a problem uploading your video file.', 6000, { error_subcode: 1_363_019 })
    if (phase === 'transfer')
      return this.#transfer(video, Number(fields.get('start_offset')), files.get('video_file_chunk'))
    if (phase !== 'finish' || video.bytes !== video.size || fields.get('published') !== 'true')
      return refused('(#100) The upload is not complete', 100)
    if (this.onFinish?.() ?? true) video.description ??= fields.get('description') ?? ''
    return [200, { success: true }]
  }

  #start(size: number): Answer {
    if (!(size > 0)) return refused('(#100) file_size must be a positive number', 100)
    const id = `88${this.all.length}`
    this.all.push({ id, session: `session-${id}`, size, bytes: 0, description: null, looks: 0, post: null })
    return [200, { video_id: id, upload_session_id: `session-${id}`, ...wanted(0, size) }]
  }

  #transfer(video: Video, start: number, chunk: Buffer | undefined): Answer {
    const most = Math.min(PART, video.size - video.bytes)
    if (!chunk || start !== video.bytes || chunk.length === 0 || chunk.length > most)
      return refused('(#6001) There was a problem uploading your video.', 6001, { error_subcode: 1_363_037 })
    video.bytes += chunk.length
    return [200, wanted(video.bytes, video.size)]
  }

  #look(id: string): Answer {
    const video = this.all.find((one) => one.id === id)
    if (!video) return refused(`Object with ID '${id}' does not exist`, 100, { error_subcode: 33 })
    if (video.description === null)
      return [200, { id, status: { video_status: 'processing', uploading_phase: { status: 'in_progress' } } }]
    video.looks += 1
    const uploading_phase = { status: 'complete' }
    if (video.looks < 2) return [200, { id, status: { video_status: 'processing', uploading_phase } }]
    if (this.ends === 'error') {
      const processing_phase = { status: 'error', errors: [{ code: 1, message: 'The video has no picture.' }] }
      return [200, { id, status: { video_status: 'error', uploading_phase, processing_phase } }]
    }
    video.post ??= this.#publish(id, video.description)
    const publishing_phase = { status: 'complete', publish_status: 'published' }
    return [200, { id, post_id: id, status: { video_status: 'ready', uploading_phase, publishing_phase } }]
  }
}

/** Facebook writes offsets as text. */
function wanted(start: number, size: number) {
  return { start_offset: String(start), end_offset: String(Math.min(start + PART, size)) }
}
