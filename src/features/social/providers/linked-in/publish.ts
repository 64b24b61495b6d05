import { DAY_MS } from '../../../../contract/values/values.ts'
import { bytesInWords } from '../../../../format/sizes.ts'
import type { WebClient } from '../../../../providers/web/client.ts'
import { orNoComment } from '../network.ts'
import {
  OutcomeUnknownError,
  PlatformRefusedError,
  type PostedFile,
  type Published,
  type PublishRequest,
} from '../provider.ts'
import { isVideo, partOf, processed, type ReadOptions } from '../sending.ts'
import { Anything, type Api, DuplicateError, ImageUpload, Posts, Video, VideoUpload } from './api.ts'
import { comment, earlierComment } from './comments.ts'

/** The maximum size of a picture, which is held in memory and sent in one request. */
const MOST_IMAGE = 50_000_000

/** Matches reserved characters of LinkedIn's little Text Format, which have to be escaped with a backslash. */
const RESERVED = /[\\|{}@[\]()<>#*_~]/g
const TAG = /(^|[^\p{L}\p{N}\\])#([\p{L}\p{N}]+)/gu

/** A post with the same text counts as that of an earlier attempt only if it is younger than a day. */
const NEWEST = 20

export async function publishPost(api: Api, request: PublishRequest, web: WebClient): Promise<Published> {
  const { again, firstComment } = request
  const known = again ? await earlierPost(api, request) : null
  const id = known ?? (await create(api, request, web))
  const url = `https://www.linkedin.com/feed/update/${id}/`
  if (firstComment === null) return { id, url, firstCommentId: null }
  // The post is published already, so a comment is skipped if LinkedIn refuses it or an earlier attempt may have sent it.
  const commented = commentOnce(api, { on: id, text: firstComment }, again)
  return { id, url, firstCommentId: await orNoComment(commented) }
}

/**
 * Finds the post of an earlier attempt whose response was lost. Most apps may not read members' posts: then a text-only post is
 * sent again, since LinkedIn refuses a duplicate text and names the existing post. With files, the outcome stays unknown.
 */
async function earlierPost(api: Api, { text, media }: PublishRequest): Promise<string | null> {
  const query = `author=${encodeURIComponent(api.author)}&q=author&count=${NEWEST}&sortBy=LAST_MODIFIED`
  try {
    const { elements } = (await api.call(`/rest/posts?${query}`, Posts)).body
    const youngest = Date.now() - DAY_MS
    const words = littleText(text)
    return elements.find((post) => post.createdAt > youngest && post.commentary === words)?.id ?? null
  } catch (error) {
    if (!(error instanceof PlatformRefusedError) || error.expired) throw error
    if (media.length === 0) return null
    throw new OutcomeUnknownError(
      'LinkedIn did not say whether the post was published, and does not let this app look. Look at the profile, and try again only if it is not there.',
    )
  }
}

async function create(api: Api, request: PublishRequest, web: WebClient): Promise<string> {
  const { text, media, signal, again } = request
  const content = await contentOf(api, media, { web, signal })
  const body = {
    author: api.author,
    commentary: littleText(text),
    visibility: 'PUBLIC',
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    ...(content && { content }),
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
  }
  try {
    const { id } = await api.call('/rest/posts', Anything, { method: 'POST', body })
    if (id === null) throw new Error('LinkedIn did not name the new post')
    return id
  } catch (error) {
    if (again && error instanceof DuplicateError) return error.post
    throw error
  }
}

async function commentOnce(api: Api, said: { on: string; text: string }, again: boolean): Promise<string> {
  const known = again ? await earlierComment(api, said) : null
  return known ?? comment(api, { ...said, parent: null })
}

/** Escapes a text for LinkedIn, except for hashtags (learn.microsoft.com/linkedin, little Text Format). */
export function littleText(words: string): string {
  let [text, end] = ['', 0]
  for (const { 0: found, 1: before = '', 2: tag = '', index } of words.matchAll(TAG)) {
    text += `${escaped(words.slice(end, index) + before)}{hashtag|\\#|${tag}}`
    end = index + found.length
  }
  return text + escaped(words.slice(end))
}

function escaped(words: string): string {
  return words.replace(RESERVED, '\\$&')
}

/** Uploads the files of a post and returns its `content`; null for a text-only post. */
async function contentOf(api: Api, files: readonly PostedFile[], options: ReadOptions): Promise<object | null> {
  const media: { id: string; altText?: string }[] = []
  for (const file of files) {
    const id = isVideo(file) ? await video(api, file, options) : await image(api, file, options)
    media.push({ id, ...(file.alternativeText !== null && { altText: file.alternativeText }) })
  }
  const [only] = media
  if (!only) return null
  return media.length === 1 ? { media: only } : { multiImage: { images: media } }
}

async function image(api: Api, file: PostedFile, { web, signal }: ReadOptions): Promise<string> {
  if (file.size > MOST_IMAGE) throw new PlatformRefusedError(`a picture is larger than ${bytesInWords(MOST_IMAGE)}`)
  const body = { initializeUploadRequest: { owner: api.author } }
  const { value } = (await api.call('/rest/images?action=initializeUpload', ImageUpload, { method: 'POST', body })).body
  const bytes = await partOf(file, { start: 0, length: file.size }, { web, signal })
  await api.put(value.uploadUrl, bytes, file.contentType)
  return value.image
}

/** Uploads the parts to the URLs that LinkedIn assigns to their byte ranges, then completes the upload with their ETags in order. */
async function video(api: Api, file: PostedFile, { web, signal }: ReadOptions): Promise<string> {
  const asked = { owner: api.author, fileSizeBytes: file.size, uploadCaptions: false, uploadThumbnail: false }
  const begun = { method: 'POST' as const, body: { initializeUploadRequest: asked } }
  const { value } = (await api.call('/rest/videos?action=initializeUpload', VideoUpload, begun)).body
  const { video: id, uploadToken, uploadInstructions: parts } = value
  const tags: string[] = []
  for (const { uploadUrl, firstByte, lastByte } of parts) {
    const bytes = await partOf(file, { start: firstByte, length: lastByte - firstByte + 1 }, { web, signal })
    tags.push(await api.put(uploadUrl, bytes, 'application/octet-stream'))
  }
  const ended = { finalizeUploadRequest: { video: id, uploadToken, uploadedPartIds: tags } }
  await api.call('/rest/videos?action=finalizeUpload', Anything, { method: 'POST', body: ended })
  const look = async () => {
    const { status, processingFailureReason: reason } = (
      await api.call(`/rest/videos/${encodeURIComponent(id)}`, Video)
    ).body
    if (status === 'PROCESSING_FAILED') throw new PlatformRefusedError(reason ?? 'LinkedIn cannot use the video')
    return status === 'AVAILABLE' ? id : null
  }
  return processed(look, { signal, unfinished: 'LinkedIn was not done with a video of the post' })
}
