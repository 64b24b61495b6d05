import type { NetworkParts } from '../network.ts'
import {
  type Credentials,
  OutcomeUnknownError,
  PlatformBusyError,
  PlatformRefusedError,
  type PostedFile,
  type Published,
  type PublishRequest,
  progressIn,
} from '../provider.ts'
import { isVideo, partOf, sendBytes, Turn, titleOf } from '../sending.ts'
import { type Api, audiencesOf, Begun, type CreatorInfo, creatorOf, isAudited, PostStatus } from './api.ts'

/** Chunks must have 5 to 64 MB; the last one includes the remainder, so it may be up to twice as large (Media transfer guide). */
const CHUNK_BYTES = 8_000_000
const TIMEOUT_MS = 120_000
const MOST_BYTES = 100_000

interface FilmUpload {
  parts: NetworkParts
  file: PostedFile
  turn: Turn
}

/** TikTok's upload URL has expired, an hour after it was created. TikTok never publishes an incomplete upload. */
class UploadOverError extends Error {}

const MAX_PHOTO_TITLE = 90

const UNKNOWN =
  'The answer of TikTok was lost, and it has no way to look pictures up. See whether they are on the profile, and retry if not.'

interface PostSettings {
  request: PublishRequest
  creator: CreatorInfo
  privacy_level: string
}

/** The number of polls for the id of a published post: TikTok returns it after its own review, mostly within a minute. */
const LOOKS_FOR_ID = 12

interface Publishing {
  parts: NetworkParts
  api: Api
  request: PublishRequest
  turn: Turn
}

/**
 * Publishes a film or pictures. Stores the id of TikTok's publishing process before sending anything, so that later attempts
 * continue with the same post.
 */
export async function publishPost(parts: NetworkParts, api: Api, request: PublishRequest): Promise<Published> {
  const publishing = { parts, api, request, turn: new Turn(request.signal) }
  const { known } = progressIn(request)
  const isKnown = known.publish_id !== undefined
  const { publish_id: id = '', upload_url } = isKnown ? known : await begin(api, request, isAudited(parts))
  if (upload_url !== undefined) await send(publishing, { id, address: upload_url, isKnown })
  const post = await untilPublished(publishing, id)
  return { id: post ?? id, url: post === null ? null : urlOf(request, post), firstCommentId: null }
}

function urlOf({ login, media }: PublishRequest, post: string): string | null {
  const kind = filmOf(media) ? 'video' : 'photo'
  return login.username === null ? null : `https://www.tiktok.com/@${login.username}/${kind}/${post}`
}

export function statusOf(api: Api, publish_id: string): Promise<PostStatus> {
  return api.post('/post/publish/status/fetch/', PostStatus, { publish_id })
}

async function send(
  { parts, api, request, turn }: Publishing,
  { id, address, isKnown }: { id: string; address: string; isKnown: boolean },
): Promise<void> {
  const file = filmOf(request.media)
  if (!file) return
  const there = isKnown ? await bytesThere(api, id, file.size) : 0
  try {
    await sendFilm({ parts, file, turn }, address, there)
  } catch (error) {
    if (!(error instanceof UploadOverError)) throw error
    if ((await bytesThere(api, id, file.size)) >= file.size) return
    // TikTok never publishes an incomplete film, so the upload restarts from the beginning.
    await progressIn(request).keep({})
    throw new Error('The upload to TikTok was over before the film was complete. It begins again.')
  }
}

/** Returns the number of bytes that TikTok has received; the full size if TikTok expects no more bytes. */
async function bytesThere(api: Api, id: string, size: number): Promise<number> {
  const { status, uploaded_bytes } = await statusOf(api, id)
  return status === 'PROCESSING_UPLOAD' ? (uploaded_bytes ?? 0) : size
}

/** Waits until the post is published and returns its id; null if TikTok reports no id in time. */
async function untilPublished({ api, request, turn }: Publishing, id: string): Promise<string | null> {
  let looks = 0
  const { post } = await turn.until(async () => {
    const { status, fail_reason, publicaly_available_post_id: posts } = await statusOf(api, id)
    if (status === 'FAILED') {
      // Clears the progress, so that a retry by a person creates a new post.
      await progressIn(request).keep({})
      throw new PlatformRefusedError(`TikTok could not publish the post: ${fail_reason ?? 'unknown reason'}`)
    }
    if (status !== 'PUBLISH_COMPLETE') return null
    const [post = null] = posts ?? []
    looks += 1
    return post === null && looks < LOOKS_FOR_ID ? null : { post }
  })
  return post
}

function filmOf(media: PublishRequest['media']): PostedFile | undefined {
  return media.find(isVideo)
}

/** Starts a post within the creator's current settings and returns the progress to store. */
async function begin(api: Api, request: PublishRequest, isAudited: boolean): Promise<Credentials> {
  if (progressIn(request).known.asked !== undefined) throw new OutcomeUnknownError(UNKNOWN)
  const creator = await creatorOf(api)
  const privacy_level = audienceOf(request, creator, isAudited)
  const film = filmOf(request.media)
  const asked = { request, creator, privacy_level }
  return film ? beginFilm(api, film, asked) : beginPictures(api, asked)
}

/** Returns the audience that a person chose: TikTok does not allow apps to choose one (Content Sharing Guidelines). */
function audienceOf({ options }: PublishRequest, creator: CreatorInfo, isAudited: boolean): string {
  const offered: readonly string[] = audiencesOf(creator, isAudited)
  const chosen = options?.privacy_level
  if (chosen === undefined || !offered.includes(chosen))
    throw new PlatformRefusedError(
      `TikTok does not offer this account ${chosen ?? 'a post without an audience'}, only ${offered.join(', ')}${isAudited ? '' : ' until it has audited the app of this service'}.`,
    )
  if (options?.branded_content && chosen === 'SELF_ONLY')
    throw new PlatformRefusedError('Branded content cannot be private on TikTok.')
  return chosen
}

/** Returns the interaction and disclosure settings of a post. A creator's settings can disable interactions for all posts. */
function switchesOf({ options = {} }: PublishRequest, creator: CreatorInfo) {
  return {
    comments: {
      disable_comment: creator.comment_disabled || !options.allow_comments,
      ...{ brand_organic_toggle: options.your_brand, brand_content_toggle: options.branded_content },
    },
    film: {
      disable_duet: creator.duet_disabled || !options.allow_duets,
      disable_stitch: creator.stitch_disabled || !options.allow_stitches,
    },
  }
}

/** Starts a film upload. A lost response does no harm, because nothing is published before all bytes have arrived. */
async function beginFilm(
  api: Api,
  { size, durationMs = 0 }: PostedFile,
  { request, creator, privacy_level }: PostSettings,
): Promise<Credentials> {
  const longest = creator.max_video_post_duration_sec ?? Number.POSITIVE_INFINITY
  const seconds = Math.floor(durationMs / 1000)
  if (seconds > longest)
    throw new PlatformRefusedError(
      `The video is too long for this account on TikTok (${seconds} seconds, maximum is ${longest}).`,
    )
  const { comments, film } = switchesOf(request, creator)
  const { publish_id, upload_url } = await api.post('/post/publish/video/init/', Begun, {
    post_info: { title: request.text, privacy_level, ...comments, ...film },
    source_info: { source: 'FILE_UPLOAD', video_size: size, ...cut(size) },
  })
  if (upload_url === undefined) throw new PlatformRefusedError('TikTok named no address for the upload.')
  await progressIn(request).keep({ publish_id, upload_url })
  return { publish_id, upload_url }
}

/**
 * Publishes pictures, which TikTok fetches from URLs of this service; the operator has to verify their domain at TikTok. Stores
 * the attempt first, because without the response the outcome cannot be looked up.
 */
async function beginPictures(api: Api, { request, creator, privacy_level }: PostSettings): Promise<Credentials> {
  const progress = progressIn(request)
  await progress.keep({ asked: 'yes' })
  const { text, media } = request
  const words = { title: titleOf(text, MAX_PHOTO_TITLE), description: text }
  const photo_images = media.map(({ url }) => url)
  try {
    const { publish_id } = await api.post('/post/publish/content/init/', Begun, {
      post_info: { ...words, privacy_level, ...switchesOf(request, creator).comments, auto_add_music: false },
      source_info: { source: 'PULL_FROM_URL', photo_cover_index: 0, photo_images },
      ...{ post_mode: 'DIRECT_POST', media_type: 'PHOTO' },
    })
    await progress.keep({ publish_id })
    return { publish_id }
  } catch (error) {
    // TikTok refused or limited the rate, so no post was created.
    if (error instanceof PlatformRefusedError || error instanceof PlatformBusyError) await progress.keep({})
    throw error
  }
}

/** Returns the size and number of a film's chunks, which TikTok requires before the upload. */
function cut(size: number): { chunk_size: number; total_chunk_count: number } {
  return size < 2 * CHUNK_BYTES
    ? { chunk_size: size, total_chunk_count: 1 }
    : { chunk_size: CHUNK_BYTES, total_chunk_count: Math.floor(size / CHUNK_BYTES) }
}

/** Sends the missing chunks in order. `there` is the number of bytes that TikTok has. */
async function sendFilm({ parts, file, turn }: FilmUpload, address: string, there: number): Promise<void> {
  const { size, contentType } = file
  const { chunk_size, total_chunk_count } = cut(size)
  for (let index = Math.floor(there / chunk_size); index < total_chunk_count; index++) {
    turn.requireTime()
    const start = index * chunk_size
    const length = index === total_chunk_count - 1 ? size - start : chunk_size
    const body = await partOf(file, { start, length }, { web: parts.web, signal: turn.signal })
    const range = `bytes ${start}-${start + length - 1}/${size}`
    const { status } = await sendBytes(parts.web, address, {
      method: 'PUT',
      headers: { 'content-type': contentType, 'content-range': range },
      body,
      ...{ timeoutMs: TIMEOUT_MS, maxBytes: MOST_BYTES, signal: turn.signal },
    })
    if (status === 403 || status === 404) throw new UploadOverError('TikTok takes no more of this upload.')
    if (status >= 400 && status < 500 && status !== 408 && status !== 416 && status !== 429)
      throw new PlatformRefusedError(`TikTok refused a part of the film with status ${status}.`)
    if (status !== 201 && status !== 206) throw new Error(`TikTok answered a part of the film with ${status}`)
  }
}
