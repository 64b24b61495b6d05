import type { NetworkParts } from '../network.ts'
import { progressIn } from '../progress.ts'
import { PlatformRefusedError, type Published, type PublishRequest } from '../provider.ts'
import { Turn } from '../turn.ts'
import type { Api } from './api.ts'
import { begin, filmOf } from './begin.ts'
import { isAudited } from './profile.ts'
import { PostStatus } from './shapes.ts'
import { sendFilm, UploadOverError } from './upload.ts'

/** Looks for the id of a post that is out: TikTok gives it when it has looked at the post itself, mostly within a minute. */
const LOOKS_FOR_ID = 12

interface Publishing {
  parts: NetworkParts
  api: Api
  request: PublishRequest
  turn: Turn
}

/**
 * Publishes a film or pictures. The id by which TikTok is asked how far a post is, is kept before anything is sent to it, so that
 * later tries go on with the same post.
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

/** Sends what is missing of a film. */
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
    // What is not complete is never published, so the film is sent from its beginning.
    await progressIn(request).keep({})
    throw new Error('The upload to TikTok was over before the film was complete. It begins again.')
  }
}

/** All of them, where TikTok waits for no more. */
async function bytesThere(api: Api, id: string, size: number): Promise<number> {
  const { status, uploaded_bytes } = await statusOf(api, id)
  return status === 'PROCESSING_UPLOAD' ? (uploaded_bytes ?? 0) : size
}

/** The id of the post, or null where it is out and TikTok does not give one. */
async function untilPublished({ api, request, turn }: Publishing, id: string): Promise<string | null> {
  let looks = 0
  const { post } = await turn.until(async () => {
    const { status, fail_reason, publicaly_available_post_id: posts } = await statusOf(api, id)
    if (status === 'FAILED') {
      // Whoever tries again sends another post.
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
