import { setTimeout as delay } from 'node:timers/promises'
import { bytesInWords } from '../../../words/sizes.ts'
import type { WebClient } from '../../web/client.ts'
import { inParts } from '../parts.ts'
import { PlatformRefusedError, type PostedFile } from '../provider.ts'
import type { Api } from './api.ts'
import { Anything, ImageUpload, Video, VideoUpload } from './shapes.ts'

/** A picture is held in memory and sent at once. */
const MOST_IMAGE = 50_000_000
const LOOK_MS = 2_000
const MOST_LOOKS = 60

interface Options {
  web: WebClient
  signal: AbortSignal
}

/** What a post shows, as its `content`; null where that is words alone. */
export async function contentOf(api: Api, files: readonly PostedFile[], options: Options): Promise<object | null> {
  const media: { id: string; altText?: string }[] = []
  for (const file of files) {
    const id = file.contentType.startsWith('video/') ? await video(api, file, options) : await image(api, file, options)
    media.push({ id, ...(file.alternativeText !== null && { altText: file.alternativeText }) })
  }
  const [only] = media
  if (!only) return null
  return media.length === 1 ? { media: only } : { multiImage: { images: media } }
}

async function image(api: Api, file: PostedFile, { web, signal }: Options): Promise<string> {
  if (file.size > MOST_IMAGE) throw new PlatformRefusedError(`a picture is larger than ${bytesInWords(MOST_IMAGE)}`)
  const body = { initializeUploadRequest: { owner: api.author } }
  const { value } = (await api.call('/rest/images?action=initializeUpload', ImageUpload, { method: 'POST', body })).body
  await inParts(file, { web, signal, partBytes: MOST_IMAGE + 1 }, async (part) => {
    await api.put(value.uploadUrl, part, file.contentType)
  })
  return value.image
}

/** LinkedIn says which bytes go to which address; the tags of the parts, in order, end the upload. */
async function video(api: Api, file: PostedFile, { web, signal }: Options): Promise<string> {
  const asked = { owner: api.author, fileSizeBytes: file.size, uploadCaptions: false, uploadThumbnail: false }
  const begun = { method: 'POST' as const, body: { initializeUploadRequest: asked } }
  const { value } = (await api.call('/rest/videos?action=initializeUpload', VideoUpload, begun)).body
  const { video: id, uploadToken, uploadInstructions: parts } = value
  const partBytes = Math.max(...parts.map(lengthOf))
  const tags: string[] = []
  await inParts(file, { web, signal, partBytes }, async (bytes, index) => {
    const part = parts[index]
    if (!part || lengthOf(part) !== bytes.length) throw new Error('LinkedIn named parts of unequal sizes')
    tags.push(await api.put(part.uploadUrl, bytes, 'application/octet-stream'))
  })
  const ended = { finalizeUploadRequest: { video: id, uploadToken, uploadedPartIds: tags } }
  await api.call('/rest/videos?action=finalizeUpload', Anything, { method: 'POST', body: ended })
  await processed(api, id, signal)
  return id
}

function lengthOf({ firstByte, lastByte }: { firstByte: number; lastByte: number }): number {
  return lastByte - firstByte + 1
}

async function processed(api: Api, id: string, signal: AbortSignal): Promise<void> {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const { status, processingFailureReason: reason } = (
      await api.call(`/rest/videos/${encodeURIComponent(id)}`, Video)
    ).body
    if (status === 'AVAILABLE') return
    if (status === 'PROCESSING_FAILED') throw new PlatformRefusedError(reason ?? 'LinkedIn cannot use the video')
    await delay(LOOK_MS, undefined, { signal })
  }
  throw new Error('LinkedIn was not done with a video of the post')
}
