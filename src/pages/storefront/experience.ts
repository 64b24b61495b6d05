import { html } from 'hono/html'
import type { Row } from '../../contract/declarations/noun.ts'
import type { Context } from '../../records/context.ts'
import { findRow, findRows } from '../../records/records.ts'
import { shownVariantsByProduct } from '../../resources/catalog/product/collections.ts'
import { Product } from '../../resources/catalog/product/product.ts'
import { productUrl } from '../../resources/catalog/product/show.ts'
import { deriveExperiences } from '../../resources/content/experience/content.ts'
import { type Embed, embedOf, playerOf } from '../../resources/content/experience/embed.ts'
import { Experience } from '../../resources/content/experience/experience.ts'
import { fileUrl } from '../../resources/content/file/addresses.ts'
import type { Page } from '../parts/markup.ts'
import { contentPart } from './content.ts'
import { shopAnswer, shopFrame, shopPage } from './frame.ts'

type ExperienceRow = Row<typeof Experience>

/** Renders the content if access is open, otherwise ways to get access. Returns null if no experience has the slug. */
export async function experiencePage(context: Context, slug: string): Promise<Response | null> {
  const experience = await findRow(context, Experience, slug)
  if (!experience) return null
  const frame = await shopFrame(context)
  const isOpen = experience.access_type === 'open'
  const loaded = new PageEmbeds(context.publicUrl)
  const part = isOpen
    ? await contentPart(context, experience, { addressOf: (file) => fileUrl(context, file), loaded })
    : await waysToGetAccess(context, experience, frame.url)
  const { name: title, description, slug: path } = experience
  const about = { title, url: `${frame.url}/x/${path}`, description }
  return shopAnswer(shopPage(about, frame, html`${heading(experience)}${part}`), { places: loaded.places })
}

export function heading({ name, description }: ExperienceRow): Page {
  return html`<h1>${name}</h1>${description ? html`<p class="lead">${description}</p>` : ''}`
}

interface PurchaseLink {
  name: string
  url: string
}

async function waysToGetAccess(context: Context, experience: ExperienceRow, storefront: string): Promise<Page> {
  const offers = await offersOf(context, experience, storefront)
  const list = offers.map(({ name, url }) => html`<li><a href="${url}">${name}</a></li>`)
  const own = html`<a href="${storefront}/access">your purchases</a>`
  const how =
    offers.length > 0
      ? html`<p>Buy one of these to get access:</p><ul class="entries">${list}</ul>`
      : html`<p>It is not currently for sale.</p>`
  return html`<h2>For buyers</h2>${how}<h2>Already bought it?</h2><p>Open the link in the receipt we e-mailed you, or go to ${own}.</p>`
}

async function offersOf(context: Context, experience: ExperienceRow, storefront: string): Promise<PurchaseLink[]> {
  const [derived] = await deriveExperiences([experience], context)
  const ids = derived!.products
  const products = await findRows(context, Product, ids)
  const prices = await shownVariantsByProduct(ids, context)
  return ids.flatMap((id) => {
    const product = products.get(id)
    const isIncluded = prices.get(id)?.some(({ experiences }) => experiences.includes(experience.id))
    return product?.status === 'active' && isIncluded
      ? [{ name: product.name, url: productUrl(storefront, product) }]
      : []
  })
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
