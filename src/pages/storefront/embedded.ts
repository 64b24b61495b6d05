import { html } from 'hono/html'
import { type Embed, embedOf, playerOf } from '../../resources/content/experience/embed.ts'
import type { Page } from '../parts/markup.ts'

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
