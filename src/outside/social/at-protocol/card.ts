import type { AppBskyEmbedExternal } from '@atproto/api'
import { Parser } from 'htmlparser2'
import type { WebAnswer, WebClient } from '../../web/client.ts'
import { PlatformRefusedError } from '../provider.ts'
import { refusing, type Session } from './session.ts'

const MOST_PAGE = 300_000
const TIMEOUT_MS = 5_000
const MAX_TITLE = 300
const MAX_DESCRIPTION = 1_000
/** Lexicon app.bsky.embed.external. */
const MOST_PICTURE = 1_000_000
const PICTURES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif']

interface Options {
  web: WebClient
  signal: AbortSignal
}

/** What a page says of itself: title, description and picture. Its address alone where it cannot be read. */
export async function cardOf(session: Session, uri: string, options: Options): Promise<AppBskyEmbedExternal.External> {
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

/** A card is as good without its picture, which no refusal of it may hold up. */
async function pictureOf(session: Session, address: string | undefined, page: string, options: Options) {
  if (address === undefined || !URL.canParse(address, page)) return null
  const picture = await read(new URL(address, page).href, MOST_PICTURE + 1, options)
  const type = picture?.headers['content-type']?.split(';')[0]?.trim() ?? ''
  if (!picture || picture.body.byteLength > MOST_PICTURE || !PICTURES.includes(type)) return null
  try {
    const upload = () => session.agent.uploadBlob(picture.body, { encoding: type })
    return (await refusing(upload, 'the picture of the card')).data.blob
  } catch (error) {
    if (error instanceof PlatformRefusedError && !error.expired) return null
    throw error
  }
}

/** Null for what cannot be had; the sites of others are no reason not to post. */
async function read(url: string, maxBytes: number, { web, signal }: Options): Promise<WebAnswer | null> {
  try {
    const answer = await web.fetch(url, { method: 'GET', timeoutMs: TIMEOUT_MS, maxBytes, signal })
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
