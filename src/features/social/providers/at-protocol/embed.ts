import type { AppBskyEmbedExternal, AppBskyEmbedImages, AppBskyEmbedVideo } from '@atproto/api'
import { Parser } from 'htmlparser2'
import { Places } from '../../../../concurrency/places.ts'
import type { WebAnswer } from '../../../../providers/web/client.ts'
import { NETWORK_LIMITS } from '../limits.ts'
import { isRefusedAlone, orElse } from '../network.ts'
import { PlatformRefusedError, type PublishRequest } from '../provider.ts'
import { isVideo, type ReadOptions, wholeFile } from '../sending.ts'
import { refusing, type Session } from './session.ts'

const MOST_PAGE = 300_000
const CARD_TIMEOUT_MS = 5_000
const MAX_TITLE = 300
const MAX_DESCRIPTION = 1_000
/** The maximum size of a card's picture (lexicon app.bsky.embed.external). */
const MOST_PICTURE = 1_000_000
const PICTURES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif']

type Embed =
  | ({ $type: 'app.bsky.embed.images' } & AppBskyEmbedImages.Main)
  | ({ $type: 'app.bsky.embed.video' } & AppBskyEmbedVideo.Main)
  | ({ $type: 'app.bsky.embed.external' } & AppBskyEmbedExternal.Main)

/** The only accepted video type (lexicon app.bsky.embed.video). */
const VIDEO_TYPE = 'video/mp4'
/** Only one video is sent at a time, because it is held in memory. */
const videos = new Places({ count: 1 })

/** Returns the embed below a post's text: its pictures or video, or else a card for the first link. */
export async function embedOf(
  session: Session,
  request: PublishRequest,
  options: ReadOptions,
): Promise<Embed | undefined> {
  const { media, text } = request
  const video = media.find(isVideo)
  if (video) return videoOf(session, video, options)
  if (media.length > 0) {
    const images = []
    for (const one of media)
      images.push({
        ...{ image: await uploaded(session, one, options), alt: one.alternativeText ?? '' },
        ...(one.sides && { aspectRatio: one.sides }),
      })
    return { $type: 'app.bsky.embed.images', images }
  }
  const [link] = text.match(/https?:\/\/[^\s<>"]+[^\s<>".,;:!?'()]/) ?? []
  if (link === undefined) return undefined
  return { $type: 'app.bsky.embed.external', external: await cardOf(session, link, options) }
}

/** Uploads the video to the account's server; the network processes it after the post is published. */
async function videoOf(session: Session, video: PublishRequest['media'][number], options: ReadOptions): Promise<Embed> {
  if (video.contentType !== VIDEO_TYPE)
    throw new PlatformRefusedError(`Bluesky takes MP4 videos alone, and this one is ${video.contentType}`)
  const alt = video.alternativeText
  const ratio = video.sides && { aspectRatio: video.sides }
  const leave = await videos.take(session.did, options.signal)
  try {
    const blob = await uploaded(session, video, options)
    return { $type: 'app.bsky.embed.video', video: blob, ...(alt !== null && { alt }), ...ratio }
  } finally {
    leave()
  }
}

async function uploaded(
  { agent }: Session,
  { url, contentType }: PublishRequest['media'][number],
  { web, signal }: ReadOptions,
) {
  const kind = contentType.startsWith('video/') ? 'video' : 'image'
  const most = NETWORK_LIMITS.bluesky[kind === 'video' ? 'videoBytes' : 'imageBytes']
  const bytes = await wholeFile(url, { what: `a ${kind}`, mostBytes: most, web, signal })
  const { data } = await refusing(() => agent.uploadBlob(bytes, { encoding: contentType }), `a ${kind}`)
  return data.blob
}

/** Returns a page's title, description and picture, or only its URL if it cannot be read. */
async function cardOf(session: Session, uri: string, options: ReadOptions): Promise<AppBskyEmbedExternal.External> {
  const page = await read(uri, MOST_PAGE, options)
  const found = page ? headOf(Buffer.from(page.body).toString('utf8')) : new Map<string, string>()
  const title = found.get('og:title') ?? found.get('title') ?? uri
  const description = found.get('og:description') ?? found.get('description') ?? ''
  const thumb = await pictureOf(session, found.get('og:image'), uri, options)
  return {
    uri,
    title: title.trim().slice(0, MAX_TITLE),
    description: description.trim().slice(0, MAX_DESCRIPTION),
    ...(thumb && { thumb }),
  }
}

/** Returns a card's picture; null on any failure, because a card works without a picture. */
async function pictureOf(session: Session, address: string | undefined, page: string, options: ReadOptions) {
  if (address === undefined || !URL.canParse(address, page)) return null
  const picture = await read(new URL(address, page).href, MOST_PICTURE + 1, options)
  const type = picture?.headers['content-type']?.split(';')[0]?.trim() ?? ''
  if (!picture || picture.body.byteLength > MOST_PICTURE || !PICTURES.includes(type)) return null
  const upload = () => session.agent.uploadBlob(picture.body, { encoding: type })
  const uploaded = await orElse(refusing(upload, 'the picture of the card'), null, isRefusedAlone)
  return uploaded?.data.blob
}

/** Fetches a page or picture; null if that fails, because a missing card must not prevent the post. */
async function read(url: string, maxBytes: number, { web, signal }: ReadOptions): Promise<WebAnswer | null> {
  try {
    const answer = await web.fetch(url, { method: 'GET', timeoutMs: CARD_TIMEOUT_MS, maxBytes, signal })
    return answer.status === 200 ? answer : null
  } catch {
    signal.throwIfAborted()
    return null
  }
}

function headOf(text: string): Map<string, string> {
  const found = new Map<string, string>()
  const note = (key: string, value: string) => found.has(key) || found.set(key, value)
  let title: string | null = null
  const parser = new Parser({
    onopentag(tag, { property, name, content }) {
      title = tag === 'title' ? '' : null
      const key = property ?? name
      if (tag === 'meta' && key && content) note(key.toLowerCase(), content)
    },
    ontext(words) {
      if (title !== null) title += words
    },
    onclosetag() {
      if (title) note('title', title)
      title = null
    },
  })
  parser.end(text)
  return found
}
