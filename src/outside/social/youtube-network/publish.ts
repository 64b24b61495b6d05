import type { NetworkParts } from '../network.ts'
import { type Progress, progressIn } from '../progress.ts'
import { PlatformRefusedError, type Published, type PublishRequest } from '../provider.ts'
import { titleOf } from '../title.ts'
import { Turn } from '../turn.ts'
import type { Api } from './api.ts'
import { findOwnComment, writeComment } from './comments.ts'
import { channelOf } from './profile.ts'
import { PlaylistItems, Videos } from './shapes.ts'
import { type Sending, SessionGoneError, sendFilm, startSession } from './upload.ts'

const MAX_TITLE = 100
/** People & Blogs, which is what YouTube itself takes where nobody says. */
const CATEGORY = '22'
const NEWEST = 50

/** Publishes a film with its first comment. The session of the upload and the id of the video are kept, so each is made once. */
export async function publishVideo(parts: NetworkParts, api: Api, request: PublishRequest): Promise<Published> {
  const progress = progressIn(request)
  const turn = new Turn(request.signal)
  const id = progress.known.video ?? (await uploaded(parts, api, request, turn))
  const known = progress.known.video === undefined ? {} : progress.known
  const status = await turn.until(() => processed(api, id))
  if ('refused' in status) {
    // Whoever tries again sends another film.
    await progress.keep({})
    throw new PlatformRefusedError(status.refused)
  }
  if (!status.public) throw new PlatformRefusedError(KEPT_PRIVATE)
  const firstCommentId = await commented(api, request, { id, isAgain: known.commenting !== undefined })
  return { id, url: `https://www.youtube.com/watch?v=${id}`, firstCommentId }
}

const KEPT_PRIVATE =
  'YouTube has the video and keeps it private, as it does while an app is not audited. Make it public there and retry, or delete it there.'

async function uploaded(parts: NetworkParts, api: Api, request: PublishRequest, turn: Turn): Promise<string> {
  const [file] = request.media
  if (!file) throw new PlatformRefusedError('A post on YouTube needs a video.')
  const progress = progressIn(request)
  const sending: Sending = { parts, api, file, turn }
  const resource = resourceOf(request.text)
  const { session = await startSession(sending, resource), begun = new Date().toISOString() } = progress.known
  if (progress.known.session === undefined) await progress.keep({ session, begun })
  const id = await sent(sending, session, { ...resource.snippet, begun }, progress)
  await progress.keep({ video: id })
  return id
}

function resourceOf(text: string) {
  const snippet = { title: titleOf(text, MAX_TITLE), description: text, categoryId: CATEGORY }
  return { snippet, status: { privacyStatus: 'public', selfDeclaredMadeForKids: false } }
}

interface Earlier {
  title: string
  description: string
  begun: string
}

/** Where the session is over, the film is there or it never was: the newest ones of the channel tell. */
async function sent(sending: Sending, session: string, earlier: Earlier, progress: Progress): Promise<string> {
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

async function findEarlier(api: Api, { title, description, begun }: Earlier): Promise<string | null> {
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

/** Clocks differ. */
const MOST_SKEW_MS = 120_000

/** Null while YouTube works on it. */
async function processed(api: Api, id: string): Promise<{ refused: string } | { public: boolean } | null> {
  const { items } = await api.call(`/videos?part=status&id=${encodeURIComponent(id)}`, Videos)
  const status = items[0]?.status
  if (!status || status.uploadStatus === 'deleted') return { refused: 'The video was deleted on YouTube.' }
  const { uploadStatus, privacyStatus, failureReason, rejectionReason } = status
  if (uploadStatus === 'failed') return { refused: `YouTube could not process the video: ${failureReason ?? 'failed'}` }
  if (uploadStatus === 'rejected') return { refused: `YouTube rejected the video: ${rejectionReason ?? 'rejected'}` }
  return uploadStatus === 'processed' ? { public: privacyStatus === 'public' } : null
}

/** Null where YouTube refuses the comment: the film is out, and must not be sent again for it. */
async function commented(
  api: Api,
  request: PublishRequest,
  { id, isAgain }: { id: string; isAgain: boolean },
): Promise<string | null> {
  const text = request.firstComment
  if (text === null) return null
  try {
    const known = isAgain ? await findOwnComment(api, id, text) : null
    if (known !== null) return known
    if (!isAgain) await progressIn(request).keep({ video: id, commenting: 'yes' })
    return await writeComment(api, id, text)
  } catch (error) {
    if (error instanceof PlatformRefusedError) return null
    throw error
  }
}
