import { randomBytes } from 'node:crypto'
import { MOST_SKEW_MS, type NetworkParts } from '../network.ts'
import {
  type Credentials,
  PlatformBusyError,
  PlatformRefusedError,
  type PostedFile,
  type Progress,
  type Published,
  type PublishRequest,
  progressIn,
} from '../provider.ts'
import { isVideo, partsOf, sendBytes, Turn, titleOf } from '../sending.ts'
import { type Api, boardIdIn, Media, Pin, Pins, Registered } from './api.ts'

const PART_BYTES = 4_000_000
/** The time limit for uploading a film: Pinterest's storage accepts it only in a single request, which cannot be resumed. */
const TIMEOUT_MS = 200_000
const MOST_BYTES = 100_000

interface FilmUpload {
  parts: NetworkParts
  api: Api
  file: PostedFile
  turn: Turn
  progress: Progress
}

const MAX_TITLE = 100
const MAX_ALT_TEXT = 500
const MAX_LINK = 2_048
const NEWEST = 100

/** Creates a pin. Stores the time of the attempt first, so that a retry searches the board before it creates another pin. */
export async function publishPin(parts: NetworkParts, api: Api, request: PublishRequest): Promise<Published> {
  const { known } = progressIn(request)
  const found = known.asked === undefined ? null : await findEarlier(api, request, known.asked)
  const id = found ?? (await create(api, request, await sourceOf(parts, api, request)))
  return { id, url: `https://www.pinterest.com/pin/${id}/`, firstCommentId: null }
}

function wordsOf({ text, media }: PublishRequest) {
  const [link] = text.match(/https?:\/\/[^\s<>"]+[^\s<>".,;:!?'()]/) ?? []
  const alternative = media[0]?.alternativeText?.slice(0, MAX_ALT_TEXT)
  return {
    ...{ title: titleOf(text, MAX_TITLE), description: text },
    ...(link !== undefined && link.length <= MAX_LINK && { link }),
    ...(alternative && { alt_text: alternative }),
  }
}

/** Returns the pin's media: an uploaded film, or URLs of this service from which Pinterest fetches the pictures. */
async function sourceOf(parts: NetworkParts, api: Api, request: PublishRequest): Promise<Record<string, unknown>> {
  const { media, signal } = request
  const film = media.find(isVideo)
  if (film) {
    const sending = { parts, api, file: film, turn: new Turn(signal), progress: progressIn(request) }
    return { source_type: 'video_id', media_id: await uploadedFilm(sending), cover_image_key_frame_time: 0 }
  }
  const [only] = media
  if (!only) throw new PlatformRefusedError('A pin needs a picture or a video.')
  if (media.length === 1) return { source_type: 'image_url', url: only.url }
  return { source_type: 'multiple_image_urls', items: media.map(({ url }) => ({ url })) }
}

async function create(api: Api, request: PublishRequest, media_source: Record<string, unknown>): Promise<string> {
  const progress = progressIn(request)
  const sent: Credentials = typeof media_source.media_id === 'string' ? { media_id: media_source.media_id } : {}
  await progress.keep({ ...sent, asked: new Date().toISOString() })
  try {
    const body = { board_id: boardIdIn(request.login.credentials), ...wordsOf(request), media_source }
    return (await api.call('/pins', Pin, body)).id
  } catch (error) {
    // Pinterest refused the pin or limited the rate, so no pin was created.
    if (error instanceof PlatformBusyError) await progress.keep(sent)
    else if (error instanceof PlatformRefusedError) await progress.keep({})
    throw error
  }
}

async function findEarlier(api: Api, request: PublishRequest, asked: string): Promise<string | null> {
  const board = encodeURIComponent(boardIdIn(request.login.credentials))
  const { items } = await api.call(`/boards/${board}/pins?page_size=${NEWEST}`, Pins)
  const { title, description } = wordsOf(request)
  const found = items.find(
    (pin) =>
      (pin.title ?? '') === title &&
      (pin.description ?? '').trim() === description.trim() &&
      momentOf(pin.created_at ?? '') >= Date.parse(asked) - MOST_SKEW_MS,
  )
  return found?.id ?? null
}

/** Parses a time of Pinterest, which is in UTC even without a time zone. */
function momentOf(written: string): number {
  return Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(written) ? written : `${written}Z`)
}

/** Uploads a film once, waits until Pinterest has processed it, and returns its id. */
async function uploadedFilm(sending: FilmUpload): Promise<string> {
  const { api, turn, progress } = sending
  const known = progress.known.media_id
  const isThere = known !== undefined && (await statusOf(api, known)) !== 'registered'
  const id = isThere ? known : await upload(sending)
  await turn.until(async () => {
    const status = await statusOf(api, id)
    if (status === 'failed') {
      // Clears the progress, so that a retry by a person uploads the film again.
      await progress.keep({})
      throw new PlatformRefusedError('Pinterest could not process the video.')
    }
    return status === 'succeeded' ? true : null
  })
  return id
}

async function statusOf(api: Api, id: string) {
  return (await api.call(`/media/${encodeURIComponent(id)}`, Media)).status
}

async function upload({ parts, api, file, turn, progress }: FilmUpload): Promise<string> {
  const { media_id, upload_url, upload_parameters } = await api.call('/media', Registered, { media_type: 'video' })
  await progress.keep({ media_id })
  const boundary = `shopwright-${randomBytes(12).toString('hex')}`
  const [head, tail] = multipartAround(boundary, upload_parameters, file.contentType)
  const { status } = await sendBytes(parts.web, upload_url, {
    method: 'POST',
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.byteLength + file.size + tail.byteLength),
    },
    body: joined(head, partsOf(file, { web: parts.web, signal: turn.signal, partBytes: PART_BYTES }), tail),
    ...{ timeoutMs: TIMEOUT_MS, maxBytes: MOST_BYTES, signal: turn.signal },
  })
  if (status < 200 || status > 204) throw new Error(`The store of Pinterest answered a film with ${status}`)
  return media_id
}

/** Returns the multipart body before and after the file. Pinterest's fields precede the file (RFC 7578). */
function multipartAround(boundary: string, fields: Record<string, string>, type: string): [head: Buffer, tail: Buffer] {
  const lines = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const file = `Content-Disposition: form-data; name="file"; filename="video"\r\nContent-Type: ${type}\r\n\r\n`
  return [Buffer.from(`${lines.join('')}--${boundary}\r\n${file}`), Buffer.from(`\r\n--${boundary}--\r\n`)]
}

async function* joined(head: Uint8Array, chunks: AsyncIterable<Uint8Array>, tail: Uint8Array) {
  yield head
  yield* chunks
  yield tail
}
