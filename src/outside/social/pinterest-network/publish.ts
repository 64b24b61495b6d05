import type { NetworkParts } from '../network.ts'
import { progressIn } from '../progress.ts'
import {
  type Credentials,
  PlatformBusyError,
  PlatformRefusedError,
  type Published,
  type PublishRequest,
} from '../provider.ts'
import { titleOf } from '../title.ts'
import { Turn } from '../turn.ts'
import type { Api } from './api.ts'
import { uploadedFilm } from './film.ts'
import { boardIdIn } from './profile.ts'
import { Pin, Pins } from './shapes.ts'

const MAX_TITLE = 100
const MAX_ALT_TEXT = 500
const MAX_LINK = 2_048
const NEWEST = 100
/** Clocks differ. */
const MOST_SKEW_MS = 120_000

/** Makes a pin. That it is asked for is noted before, so that a later try looks for it on the board first. */
export async function publishPin(parts: NetworkParts, api: Api, request: PublishRequest): Promise<Published> {
  const { known } = progressIn(request)
  const found = known.asked === undefined ? null : await findEarlier(api, request, known.asked)
  const id = found ?? (await create(api, request, await sourceOf(parts, api, request)))
  return { id, url: `https://www.pinterest.com/pin/${id}/`, firstCommentId: null }
}

function wordsOf({ text, media }: PublishRequest) {
  const [link] = text.match(/https?:\/\/[^\s<>"]+[^\s<>".,;:!?'()]/) ?? []
  const alternative = media[0]?.alternativeText?.slice(0, MAX_ALT_TEXT)
  return {
    ...{ title: titleOf(text, MAX_TITLE), description: text },
    ...(link !== undefined && link.length <= MAX_LINK && { link }),
    ...(alternative && { alt_text: alternative }),
  }
}

/** Pictures are fetched by Pinterest from our addresses, which whoever has them can read. */
async function sourceOf(parts: NetworkParts, api: Api, request: PublishRequest): Promise<Record<string, unknown>> {
  const { media, signal } = request
  const film = media.find(({ contentType }) => contentType.startsWith('video/'))
  if (film) {
    const sending = { parts, api, file: film, turn: new Turn(signal), progress: progressIn(request) }
    return { source_type: 'video_id', media_id: await uploadedFilm(sending), cover_image_key_frame_time: 0 }
  }
  const [only] = media
  if (!only) throw new PlatformRefusedError('A pin needs a picture or a video.')
  if (media.length === 1) return { source_type: 'image_url', url: only.url }
  return { source_type: 'multiple_image_urls', items: media.map(({ url }) => ({ url })) }
}

async function create(api: Api, request: PublishRequest, media_source: Record<string, unknown>): Promise<string> {
  const progress = progressIn(request)
  const sent: Credentials = typeof media_source.media_id === 'string' ? { media_id: media_source.media_id } : {}
  await progress.keep({ ...sent, asked: new Date().toISOString() })
  try {
    const body = { board_id: boardIdIn(request.login.credentials), ...wordsOf(request), media_source }
    return (await api.call('/pins', Pin, body)).id
  } catch (error) {
    // It has said no, or to come later.
    if (error instanceof PlatformBusyError) await progress.keep(sent)
    else if (error instanceof PlatformRefusedError) await progress.keep({})
    throw error
  }
}

async function findEarlier(api: Api, request: PublishRequest, asked: string): Promise<string | null> {
  const board = encodeURIComponent(boardIdIn(request.login.credentials))
  const { items } = await api.call(`/boards/${board}/pins?page_size=${NEWEST}`, Pins)
  const { title, description } = wordsOf(request)
  const found = items.find(
    (pin) =>
      (pin.title ?? '') === title &&
      (pin.description ?? '').trim() === description.trim() &&
      momentOf(pin.created_at ?? '') >= Date.parse(asked) - MOST_SKEW_MS,
  )
  return found?.id ?? null
}

/** In UTC, which Pinterest does not write. */
function momentOf(written: string): number {
  return Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(written) ? written : `${written}Z`)
}
