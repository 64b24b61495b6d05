import { API_VERSIONS } from '../../api-versions.ts'
import type { WebAnswer } from '../../web/client.ts'
import type { NetworkParts } from '../network.ts'
import { partOf } from '../part-of-file.ts'
import { PlatformRefusedError, type PostedFile } from '../provider.ts'
import { sendBytes } from '../send-bytes.ts'
import type { Turn } from '../turn.ts'
import { type Api, refusalIn } from './api.ts'
import { Uploaded } from './shapes.ts'

/** Parts are multiples of 256 KiB (Resumable Uploads, Uploading a file in chunks). */
const PART_BYTES = 8 * 1024 * 1024
const TIMEOUT_MS = 100_000
const MOST_BYTES = 1_000_000
/** YouTube has some bytes and waits for more. */
const INCOMPLETE = 308

/** One film on its way. */
export interface Sending {
  parts: NetworkParts
  api: Api
  file: PostedFile
  turn: Turn
}

/** The session of an upload is over; whether the film is there is not known. */
export class SessionGoneError extends Error {
  override name = 'SessionGoneError'
}

/** Where the bytes of a film are sent to; nothing is there before all of them are. */
export async function startSession({ parts, api, file, turn }: Sending, resource: object): Promise<string> {
  const root = parts.addressOf('https://www.googleapis.com')
  const answer = await parts.web.fetch(
    `${root}/upload/youtube/${API_VERSIONS.youtube.version}/videos?uploadType=resumable&part=snippet,status`,
    {
      method: 'POST',
      headers: {
        authorization: `Bearer ${api.token}`,
        'content-type': 'application/json; charset=UTF-8',
        'x-upload-content-length': String(file.size),
        'x-upload-content-type': file.contentType,
      },
      body: JSON.stringify(resource),
      ...{ timeoutMs: TIMEOUT_MS, maxBytes: MOST_BYTES, signal: turn.signal },
    },
  )
  if (answer.status !== 200) throw refusalIn(answer)
  const session = answer.headers.location ?? ''
  // The token goes there with each part.
  if (!session.startsWith(`${root}/`) && !isGoogles(session))
    throw new PlatformRefusedError('YouTube named another server for the upload.')
  return session
}

function isGoogles(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : null
  return url?.protocol === 'https:' && url.hostname.endsWith('.googleapis.com')
}

/** Sends what YouTube does not have yet; the id of the video. Rejects with a SessionGoneError. */
export async function sendFilm(sending: Sending, session: string): Promise<string> {
  const { file, turn, parts } = sending
  let answer = await put(sending, session, { 'content-range': `bytes */${file.size}` })
  while (answer.status === INCOMPLETE) {
    const start = bytesThere(answer)
    if (start >= file.size) throw new Error('YouTube has all bytes of the film and no video')
    turn.requireTime()
    const length = Math.min(PART_BYTES, file.size - start)
    const part = await partOf(file, { start, length }, { web: parts.web, signal: turn.signal })
    answer = await put(sending, session, { 'content-range': `bytes ${start}-${start + length - 1}/${file.size}` }, part)
  }
  if (answer.status === 404 || answer.status === 410) throw new SessionGoneError('The session of the upload is over.')
  if (answer.status !== 200 && answer.status !== 201) throw refusalIn(answer)
  return Uploaded.parse(JSON.parse(Buffer.from(answer.body).toString('utf8'))).id
}

function put(
  { parts, api, file, turn }: Sending,
  session: string,
  headers: Record<string, string>,
  body: Uint8Array = new Uint8Array(),
): Promise<WebAnswer> {
  return sendBytes(parts.web, session, {
    method: 'PUT',
    headers: { authorization: `Bearer ${api.token}`, 'content-type': file.contentType, ...headers },
    body,
    ...{ timeoutMs: TIMEOUT_MS, maxBytes: MOST_BYTES, signal: turn.signal },
  })
}

/** No header means that nothing has come yet. */
function bytesThere({ headers }: WebAnswer): number {
  const [, last] = /^bytes=0-(\d+)$/.exec(headers.range ?? '') ?? []
  return last === undefined ? 0 : Number(last) + 1
}
