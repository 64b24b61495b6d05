import { API_VERSIONS } from '../../../../providers/api-versions.ts'
import type { WebAnswer } from '../../../../providers/web/client.ts'
import { MOST_SKEW_MS, type NetworkParts, orNoComment } from '../network.ts'
import {
  PlatformRefusedError,
  type PostedFile,
  type Progress,
  type Published,
  type PublishRequest,
  progressIn,
} from '../provider.ts'
import { partOf, sendBytes, Turn, titleOf } from '../sending.ts'
import { type Api, channelOf, PlaylistItems, refusalIn, Uploaded, Videos } from './api.ts'
import { findOwnComment, writeComment } from './comments.ts'

/** The part size, a multiple of 256 KiB (Resumable Uploads, Uploading a file in chunks). */
const PART_BYTES = 8 * 1024 * 1024
const TIMEOUT_MS = 100_000
const MOST_BYTES = 1_000_000
/** The HTTP status of an upload that is not complete. */
const INCOMPLETE = 308

interface FilmUpload {
  parts: NetworkParts
  api: Api
  file: PostedFile
  turn: Turn
}

/** The upload session has expired, and it is unknown whether YouTube has the complete film. */
class SessionGoneError extends Error {}

const MAX_TITLE = 100
/** The category of videos: People & Blogs, YouTube's own default. */
const CATEGORY = '22'
const NEWEST = 50

/** Publishes a film with its first comment. Stores the upload session and the video's id, so that each is created once. */
export async function publishVideo(parts: NetworkParts, api: Api, request: PublishRequest): Promise<Published> {
  const progress = progressIn(request)
  const turn = new Turn(request.signal)
  const id = progress.known.video ?? (await uploaded(parts, api, request, turn))
  const known = progress.known.video === undefined ? {} : progress.known
  const status = await turn.until(() => processed(api, id))
  if ('refused' in status) {
    // Clears the progress, so that a retry by a person uploads the film again.
    await progress.keep({})
    throw new PlatformRefusedError(status.refused)
  }
  if (!status.public) throw new PlatformRefusedError(KEPT_PRIVATE)
  const firstCommentId = await orNoComment(commented(api, request, id, known.commenting !== undefined))
  return { id, url: `https://www.youtube.com/watch?v=${id}`, firstCommentId }
}

const KEPT_PRIVATE =
  'YouTube has the video and keeps it private, as it does while an app is not audited. Make it public there and retry, or delete it there.'

async function uploaded(parts: NetworkParts, api: Api, request: PublishRequest, turn: Turn): Promise<string> {
  const [file] = request.media
  if (!file) throw new PlatformRefusedError('A post on YouTube needs a video.')
  const progress = progressIn(request)
  const sending: FilmUpload = { parts, api, file, turn }
  const resource = resourceOf(request.text)
  const { session = await startSession(sending, resource), begun = new Date().toISOString() } = progress.known
  if (progress.known.session === undefined) await progress.keep({ session, begun })
  const id = await sendOrFind(sending, session, { ...resource.snippet, begun }, progress)
  await progress.keep({ video: id })
  return id
}

function resourceOf(text: string) {
  const snippet = { title: titleOf(text, MAX_TITLE), description: text, categoryId: CATEGORY }
  return { snippet, status: { privacyStatus: 'public', selfDeclaredMadeForKids: false } }
}

interface EarlierUpload {
  title: string
  description: string
  begun: string
}

/** Sends the film. If the upload session has expired, searches the channel's newest videos for the film. */
async function sendOrFind(
  sending: FilmUpload,
  session: string,
  earlier: EarlierUpload,
  progress: Progress,
): Promise<string> {
  try {
    return await sendFilm(sending, session)
  } catch (error) {
    if (error instanceof PlatformRefusedError && !error.expired) await progress.keep({})
    if (!(error instanceof SessionGoneError)) throw error
    const found = await findEarlier(sending.api, earlier)
    if (found !== null) return found
    await progress.keep({})
    throw new Error('The session of the upload is over. It begins again.')
  }
}

async function findEarlier(api: Api, { title, description, begun }: EarlierUpload): Promise<string | null> {
  const { uploads } = (await channelOf(api)).contentDetails.relatedPlaylists
  const query = `part=snippet,contentDetails&playlistId=${encodeURIComponent(uploads)}&maxResults=${NEWEST}`
  const { items } = await api.call(`/playlistItems?${query}`, PlaylistItems)
  const found = items.find(
    ({ snippet }) =>
      snippet.title === title &&
      snippet.description.trim() === description.trim() &&
      Date.parse(snippet.publishedAt) >= Date.parse(begun) - MOST_SKEW_MS,
  )
  return found?.contentDetails.videoId ?? null
}

/** Returns how YouTube's processing of a video ended; null while it continues. */
async function processed(api: Api, id: string): Promise<{ refused: string } | { public: boolean } | null> {
  const { items } = await api.call(`/videos?part=status&id=${encodeURIComponent(id)}`, Videos)
  const status = items[0]?.status
  if (!status || status.uploadStatus === 'deleted') return { refused: 'The video was deleted on YouTube.' }
  const { uploadStatus, privacyStatus, failureReason, rejectionReason } = status
  if (uploadStatus === 'failed') return { refused: `YouTube could not process the video: ${failureReason ?? 'failed'}` }
  if (uploadStatus === 'rejected') return { refused: `YouTube rejected the video: ${rejectionReason ?? 'rejected'}` }
  return uploadStatus === 'processed' ? { public: privacyStatus === 'public' } : null
}

async function commented(api: Api, request: PublishRequest, id: string, isAgain: boolean): Promise<string | null> {
  const text = request.firstComment
  if (text === null) return null
  const known = isAgain ? await findOwnComment(api, id, text) : null
  if (known !== null) return known
  if (!isAgain) await progressIn(request).keep({ video: id, commenting: 'yes' })
  return writeComment(api, id, text)
}

/** Starts an upload session and returns its URL. A video exists only once all bytes have arrived. */
async function startSession({ parts, api, file, turn }: FilmUpload, resource: object): Promise<string> {
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
  // Each part is sent with the token, so only a Google host is accepted.
  if (!session.startsWith(`${root}/`) && !isGoogles(session))
    throw new PlatformRefusedError('YouTube named another server for the upload.')
  return session
}

function isGoogles(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : null
  return url?.protocol === 'https:' && url.hostname.endsWith('.googleapis.com')
}

/** Sends the missing bytes and returns the video's id. Rejects with a SessionGoneError if the upload session has expired. */
async function sendFilm(sending: FilmUpload, session: string): Promise<string> {
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
  { parts, api, file, turn }: FilmUpload,
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

/** Returns the number of bytes that YouTube has received: none if the response has no `Range` header. */
function bytesThere({ headers }: WebAnswer): number {
  const [, last] = /^bytes=0-(\d+)$/.exec(headers.range ?? '') ?? []
  return last === undefined ? 0 : Number(last) + 1
}
