import { html } from 'hono/html'
import { type Embed, embedOf, playerOf } from '../../resources/content/experience/embed.ts'
import type { Page } from '../parts/markup.ts'

/** Places that one page may load from: each makes its header longer. */
const MOST_PLACES = 10

/** Films that browsers play, by the end of their address. */
const FILM = /\.(?:mp4|m4v|webm|mov)$/i

/**
 * What a page loads from elsewhere: its Content-Security-Policy names just that. Whatever is one place too many is linked to
 * instead.
 */
export class Loaded {
  readonly #publicUrl: string
  readonly #frames = new Set<string>()
  readonly #media = new Set<string>()

  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl
  }

  /** For `frame-src` and `media-src`. */
  get places(): { frames: string[]; media: string[] } {
    return { frames: [...this.#frames], media: [...this.#media] }
  }

  /** Another page in a frame; null where it can only be linked to. */
  embed(url: string, title: string): Page | null {
    const embed = embedOf(url, this.#publicUrl)
    return embed && this.#frame(embed, title)
  }

  /** A film at a well-known service, or one that is served as a file. Null where it can only be linked to. */
  film(url: string, title: string): Page | null {
    const player = playerOf(url)
    if (player) return this.#frame(player, title)
    if (!URL.canParse(url) || new URL(url).protocol !== 'https:' || !FILM.test(new URL(url).pathname)) return null
    return this.own('video', url, title)
  }

  /** A film or a sound that is served as a file. */
  own(kind: 'video' | 'audio', url: string, title: string): Page | null {
    if (!admit(this.#media, url)) return null
    // Nothing is fetched before somebody plays it: a course has hundreds.
    return kind === 'audio'
      ? html`<audio class="player" controls preload="none" src="${url}" aria-label="${title}"></audio>`
      : html`<video class="player" controls playsinline preload="none" src="${url}" aria-label="${title}"></video>`
  }

  /** It has the rights of its own site alone, cannot lead this page elsewhere, and hears where it is shown, but not on which page. */
  #frame({ url, kind }: Embed, title: string): Page | null {
    if (!admit(this.#frames, url)) return null
    return html`<iframe class="frame${kind === 'page' ? ' tall' : ''}" src="${url}" title="${title}" loading="lazy" referrerpolicy="strict-origin" sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-presentation" allow="fullscreen; picture-in-picture; encrypted-media"></iframe>`
  }
}

function admit(places: Set<string>, url: string): boolean {
  const { origin } = new URL(url)
  // A policy is a list of words between semicolons.
  if (!/^https?:\/\/[a-z0-9.:[\]-]+$/.test(origin)) return false
  if (places.size >= MOST_PLACES && !places.has(origin)) return false
  places.add(origin)
  return true
}
