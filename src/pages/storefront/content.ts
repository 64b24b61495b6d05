import { html } from 'hono/html'
import type { Row } from '../../contract/declarations/noun.ts'
import { counted, nounFor } from '../../format/counts.ts'
import { listed } from '../../format/lists.ts'
import { formatUtcMoment } from '../../format/moments.ts'
import { bytesInWords } from '../../format/sizes.ts'
import type { Context } from '../../records/context.ts'
import { findRows } from '../../records/records.ts'
import { type Contents, contentOf, type Lesson } from '../../resources/content/experience/content.ts'
import { type Embed, embedOf, playerOf } from '../../resources/content/experience/embed.ts'
import type { Experience } from '../../resources/content/experience/experience.ts'
import { isInvite } from '../../resources/content/experience/written.ts'
import { File } from '../../resources/content/file/file.ts'
import type { Page } from '../parts/markup.ts'
import { prose } from './pieces.ts'

type ExperienceRow = Row<typeof Experience>
type FileRow = Row<typeof File>

interface ContentOptions {
  /** Returns the URL at which people who see the page can open a file of this service. */
  addressOf(file: FileRow): string | null
  loaded: PageEmbeds
}

/** Renders an experience's content, which only people with access may see. */
export async function contentPart(context: Context, experience: ExperienceRow, showing: ContentOptions): Promise<Page> {
  const of = <Type extends keyof Contents>(type: Type) => contentOf(experience, type)
  switch (experience.item_type) {
    case 'course':
      return course(context, of('course'), showing)
    case 'download':
      return downloads(context, of('download').files, showing)
    case 'written_content':
      return html`<h2>${of('written_content').title}</h2>${prose(of('written_content').body_html)}`
    case 'embed':
      return embedded(of('embed').url, experience.name, showing)
    case 'link':
      return entries(of('link').links.map(({ title, url }) => link(title, url)))
    case 'event':
      return entries(of('event').sessions.map(session))
    case 'discord':
      return discord(of('discord'))
    case 'telegram':
      return entries(of('telegram').chats.map(chat))
    case 'forum':
      return html`<p>Chat with the other members here.</p>`
  }
}

async function course(context: Context, { chapters }: Contents['course'], showing: ContentOptions): Promise<Page> {
  const linked = chapters.flatMap(({ lessons }) => lessons.map(({ video_url }) => fileIn(video_url)))
  const files = await findRows(
    context,
    File,
    linked.filter((id) => id !== null),
  )
  return html`${chapters.map(({ title, lessons }) => html`<h2>${title}</h2>${lessons.map((one) => lesson(one, files, showing))}`)}`
}

const FILE_URL = /\/files\/(file_[0-9a-z]{26})(?:\/|$)/

function fileIn(url: string | null | undefined): string | null {
  return FILE_URL.exec(url ?? '')?.[1] ?? null
}

function lesson(
  { title, content_html, video_url, duration_seconds }: Lesson,
  files: Map<string, FileRow>,
  { loaded }: ContentOptions,
): Page {
  const minutes = duration_seconds
    ? html` <span class="optional">${counted(Math.ceil(duration_seconds / 60), 'minute')}</span>`
    : ''
  const film = video_url
    ? html`${videoOf(video_url, title, files, loaded) ?? html`<p>${link('Watch the video', video_url)}</p>`}`
    : ''
  return html`<details class="lesson"><summary>${title}${minutes}</summary>
${film}${content_html ? prose(content_html) : ''}</details>`
}

function videoOf(url: string, title: string, files: Map<string, FileRow>, loaded: PageEmbeds): Page | null {
  const file = files.get(fileIn(url) ?? '')
  if (!file) return loaded.film(url, title)
  const kind = playedAs(file)
  return kind && loaded.own(kind, url, title)
}

function playedAs({ detected_type }: FileRow): 'video' | 'audio' | null {
  const [kind] = (detected_type ?? '').split('/')
  return kind === 'video' || kind === 'audio' ? kind : null
}

async function downloads(context: Context, ids: string[], { addressOf, loaded }: ContentOptions): Promise<Page> {
  const found = await findRows(context, File, ids)
  const files = ids.flatMap((id) => found.get(id) ?? [])
  return entries(
    files.map((file) => {
      const hint = file.size === null ? '' : html`<span class="hint">${bytesInWords(file.size)}</span>`
      const name = file.title ?? file.filename ?? 'File'
      const url = file.store === null ? file.url : addressOf(file)
      const kind = file.store === null || url === null ? null : playedAs(file)
      const player = kind && url !== null ? (loaded.own(kind, url, name) ?? '') : ''
      return html`${link(name, url ?? '')}${hint}${player}`
    }),
  )
}

/** Renders an embedded page, followed by a link to it, because the other site may forbid framing. */
function embedded(url: string, name: string, { loaded }: ContentOptions): Page {
  const frame = loaded.embed(url, name)
  return frame
    ? html`${frame}<p class="hint">${link('Open it in a page of its own', url)}</p>`
    : entries([link('Open', url)])
}

function discord({ server_name, role_names, invite_url }: Contents['discord']): Page {
  const roles = role_names.length > 0 ? html` with the ${nounFor(role_names.length, 'role')} ${listed(role_names)}` : ''
  const way =
    invite_url && isInvite('discord', invite_url)
      ? html`<p class="way"><a class="button" href="${invite_url}" rel="noreferrer">Join on Discord</a></p>`
      : ''
  return html`<p class="lead">You are invited to the Discord server <strong>${server_name}</strong>${roles}.</p>${way}`
}

function chat({ title, invite_url }: Contents['telegram']['chats'][number]): Page {
  return invite_url && isInvite('telegram', invite_url)
    ? html`${link(title, invite_url)}<span class="hint">Telegram chat</span>`
    : html`Telegram chat ${title}`
}

function session({ title, url, starts_at, ends_at }: Contents['event']['sessions'][number]): Page {
  return html`${link(title, url)}<span class="hint">${formatUtcMoment(starts_at)} to ${formatUtcMoment(ends_at)}</span>`
}

function entries(items: (Page | string)[]): Page {
  return html`<ul class="entries">${items.map((item) => html`<li>${item}</li>`)}</ul>`
}

/** Renders only the words if the URL is not an http or https URL. */
function link(words: string, url: string): Page {
  return /^https?:\/\//i.test(url) ? html`<a href="${url}" rel="noreferrer">${words}</a>` : html`${words}`
}

/** The number of other origins is limited, because each lengthens the header with the policy. */
const MAX_ORIGINS = 10

/** Matches videos in formats that browsers play. */
const VIDEO_FILE = /\.(?:mp4|m4v|webm|mov)$/i

/** Embeds content of other sites and collects their origins for the page's policy. Above the maximum, links replace embeds. */
export class PageEmbeds {
  readonly #publicUrl: string
  readonly #frames = new Set<string>()
  readonly #media = new Set<string>()

  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl
  }

  get places(): { frames: string[]; media: string[] } {
    return { frames: [...this.#frames], media: [...this.#media] }
  }

  /** Returns null if the page can only be linked. */
  embed(url: string, title: string): Page | null {
    const embed = embedOf(url, this.#publicUrl)
    return embed && this.#frame(embed, title)
  }

  /** Embeds a video of a well-known service, or a video file. Returns null if the video can only be linked. */
  film(url: string, title: string): Page | null {
    const player = playerOf(url)
    if (player) return this.#frame(player, title)
    if (!URL.canParse(url) || new URL(url).protocol !== 'https:' || !VIDEO_FILE.test(new URL(url).pathname)) return null
    return this.own('video', url, title)
  }

  /** Embeds a video or audio file. Returns null if its origin is not allowed. */
  own(kind: 'video' | 'audio', url: string, title: string): Page | null {
    if (!allowOrigin(this.#media, url)) return null
    // Nothing is loaded before a viewer plays it, because a course may have hundreds of videos.
    return kind === 'audio'
      ? html`<audio class="player" controls preload="none" src="${url}" aria-label="${title}"></audio>`
      : html`<video class="player" controls playsinline preload="none" src="${url}" aria-label="${title}"></video>`
  }

  /** Renders a sandboxed frame. The framed page keeps its origin, cannot navigate our page, and learns only the origin of our page. */
  #frame({ url, kind }: Embed, title: string): Page | null {
    if (!allowOrigin(this.#frames, url)) return null
    return html`<iframe class="frame${kind === 'page' ? ' tall' : ''}" src="${url}" title="${title}" loading="lazy" referrerpolicy="strict-origin" sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-presentation" allow="fullscreen; picture-in-picture; encrypted-media"></iframe>`
  }
}

function allowOrigin(places: Set<string>, url: string): boolean {
  const { origin } = new URL(url)
  // Only plain origins are safe in a policy, because spaces and semicolons separate its parts.
  if (!/^https?:\/\/[a-z0-9.:[\]-]+$/.test(origin)) return false
  if (places.size >= MAX_ORIGINS && !places.has(origin)) return false
  places.add(origin)
  return true
}
