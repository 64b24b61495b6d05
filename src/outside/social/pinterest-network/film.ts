import { randomBytes } from 'node:crypto'
import type { NetworkParts } from '../network.ts'
import { partsOf } from '../part-of-file.ts'
import type { Progress } from '../progress.ts'
import { PlatformRefusedError, type PostedFile } from '../provider.ts'
import { sendBytes } from '../send-bytes.ts'
import type { Turn } from '../turn.ts'
import type { Api } from './api.ts'
import { Media, Registered } from './shapes.ts'

const PART_BYTES = 4_000_000
/** The store takes a film in one request, which cannot go on where it ended. */
const TIMEOUT_MS = 200_000
const MOST_BYTES = 100_000

interface Sending {
  parts: NetworkParts
  api: Api
  file: PostedFile
  turn: Turn
  progress: Progress
}

/** Uploads a film, once, and waits until Pinterest can use it; its id. */
export async function uploadedFilm(sending: Sending): Promise<string> {
  const { api, turn, progress } = sending
  const known = progress.known.media_id
  const isThere = known !== undefined && (await statusOf(api, known)) !== 'registered'
  const id = isThere ? known : await upload(sending)
  await turn.until(async () => {
    const status = await statusOf(api, id)
    if (status === 'failed') {
      // Whoever tries again sends the film again.
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

async function upload({ parts, api, file, turn, progress }: Sending): Promise<string> {
  const { media_id, upload_url, upload_parameters } = await api.call('/media', Registered, { media_type: 'video' })
  await progress.keep({ media_id })
  const boundary = `shopwright-${randomBytes(12).toString('hex')}`
  const [head, tail] = around(boundary, upload_parameters, file.contentType)
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

/** The fields that Pinterest gave come before the file (RFC 7578). */
function around(boundary: string, fields: Record<string, string>, type: string): [head: Buffer, tail: Buffer] {
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
