import type { AppBskyEmbedExternal, AppBskyEmbedImages, AppBskyEmbedVideo } from '@atproto/api'
import { Places } from '../../../queues/places.ts'
import { bytesInWords } from '../../../words/sizes.ts'
import type { WebClient } from '../../web/client.ts'
import { NETWORK_LIMITS } from '../limits.ts'
import { PlatformRefusedError, type PublishRequest } from '../provider.ts'
import { cardOf } from './card.ts'
import { refusing, type Session } from './session.ts'

type Embed =
  | ({ $type: 'app.bsky.embed.images' } & AppBskyEmbedImages.Main)
  | ({ $type: 'app.bsky.embed.video' } & AppBskyEmbedVideo.Main)
  | ({ $type: 'app.bsky.embed.external' } & AppBskyEmbedExternal.Main)

const TIMEOUT_MS = 60_000
/** Lexicon app.bsky.embed.video. */
const VIDEO_TYPE = 'video/mp4'
/** A video is held in memory on its way. */
const videos = new Places({ count: 1 })

interface Options {
  web: WebClient
  signal: AbortSignal
}

/** What is shown below the words: the pictures or the video, else a card for the first link. */
export async function embedOf(session: Session, request: PublishRequest, options: Options): Promise<Embed | undefined> {
  const { media, text } = request
  const video = media.find(({ contentType }) => contentType.startsWith('video/'))
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

/** The server of the account keeps the video; the network makes it playable once the post is out. */
async function videoOf(session: Session, video: PublishRequest['media'][number], options: Options): Promise<Embed> {
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
  { web, signal }: Options,
) {
  const kind = contentType.startsWith('video/') ? 'video' : 'image'
  const most = NETWORK_LIMITS.bluesky[kind === 'video' ? 'videoBytes' : 'imageBytes']
  const answer = await web.fetch(url, { method: 'GET', timeoutMs: TIMEOUT_MS, maxBytes: most + 1, signal })
  if (answer.status !== 200) throw new Error(`A file of the post was answered with ${answer.status}`)
  if (answer.body.byteLength > most) throw new PlatformRefusedError(`a ${kind} is larger than ${bytesInWords(most)}`)
  const { data } = await refusing(() => agent.uploadBlob(answer.body, { encoding: contentType }), `a ${kind}`)
  return data.blob
}
