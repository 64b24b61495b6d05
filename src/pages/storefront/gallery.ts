import { html } from 'hono/html'
import type { Row } from '../../contract/declarations/noun.ts'
import type { Context } from '../../records/context.ts'
import { findRows } from '../../records/records.ts'
import type { Product } from '../../resources/catalog/product/product.ts'
import { fileUrl } from '../../resources/content/file/addresses.ts'
import { File } from '../../resources/content/file/file.ts'
import type { Page } from '../parts/markup.ts'

type FileRow = Row<typeof File>
export interface GalleryItem {
  kind: 'image' | 'video' | 'audio' | 'link'
  url: string
  words: string
  /** The width in pixels; null if it is unknown. */
  width: number | null
  height: number | null
}

/** Returns the galleries of products by product id. `words` are alternative texts that replace those of files, by file id. */
export async function galleriesOf(
  context: Context,
  products: readonly Row<typeof Product>[],
  words: ReadonlyMap<string, string> = new Map(),
): Promise<Map<string, GalleryItem[]>> {
  const files = await findRows(
    context,
    File,
    products.flatMap(({ media }) => media ?? []),
  )
  return new Map(
    products.map((product) => {
      const shown = (product.media ?? []).flatMap((id, index) => {
        const file = files.get(id)
        if (!file) return []
        const alternative_text = words.get(id) ?? file.alternative_text
        return shownOf(context, { ...file, alternative_text }, `${product.name}, ${index + 1}`)
      })
      return [product.id, shown]
    }),
  )
}

export function firstPicture(gallery: readonly GalleryItem[] = []): string | null {
  return gallery.find(({ kind }) => kind === 'image')?.url ?? null
}

/** Renders a gallery as a swipeable row, with thumbnails if it has more than one item. */
export function galleryPart(gallery: readonly GalleryItem[], name: string): Page {
  const row = gallery.filter(({ kind }) => kind !== 'link')
  const links = gallery.filter(({ kind }) => kind === 'link')
  const items = row.map(
    (one, index) => html`<li class="${one.kind}" id="picture-${index + 1}">${partOf(one, index > 0)}</li>`,
  )
  const thumbs = row.map((one, index) => html`<li><a href="#picture-${index + 1}">${thumbOf(one, index + 1)}</a></li>`)
  const several = row.length > 1
  const swiped = html`<div class="pictures"${several ? html` tabindex="0" role="group" aria-label="Pictures of ${name}"` : ''}><ul>${items}</ul></div>`
  return html`<div class="gallery">${row.length > 0 ? swiped : ''}${several ? html`<ol class="thumbs" aria-label="All pictures">${thumbs}</ol>` : ''}${links.map((one) => html`<p class="link">${partOf(one, true)}</p>`)}</div>`
}

function partOf({ kind, url, words, ...size }: GalleryItem, isBelow: boolean): Page {
  if (kind === 'image')
    return html`<img src="${url}" alt="${words}" decoding="async"${sizeAttributes(size)}${isBelow ? html` loading="lazy"` : html` fetchpriority="high"`}>`
  if (kind === 'video') return html`<video src="${url}" controls preload="metadata" aria-label="${words}"></video>`
  if (kind === 'audio') return html`<audio src="${url}" controls preload="none" aria-label="${words}"></audio>`
  return html`<a href="${url}" rel="noreferrer">${words}</a>`
}

function sizeAttributes({ width, height }: Pick<GalleryItem, 'width' | 'height'>): Page | string {
  return width === null || height === null ? '' : html` width="${width}" height="${height}"`
}

function thumbOf({ kind, url }: GalleryItem, place: number): Page {
  const words = html`<span class="unseen">Picture ${place}</span>`
  return kind === 'image'
    ? html`<img src="${url}" alt="" loading="lazy" decoding="async" width="64" height="64">${words}`
    : html`<span aria-hidden="true">▶</span>${words}`
}

const UNKNOWN_SIZE = { width: null, height: null }

const SITES = { youtube: 'YouTube', vimeo: 'Vimeo', wistia: 'Wistia' }

/** Returns a file's gallery item. Videos on other sites become links, because the page loads nothing from there. */
function shownOf(context: Context, file: FileRow, otherwise: string): GalleryItem[] {
  const words = file.alternative_text ?? file.title ?? otherwise
  if (file.kind === 'external_video' && file.url !== null) {
    const site = file.provider === null ? '' : ` on ${SITES[file.provider]}`
    return [{ kind: 'link', url: file.url, words: `Watch the video${site}: ${words}`, ...UNKNOWN_SIZE }]
  }
  const url = fileUrl(context, file)
  if (url === null) return []
  const kind = kindOf(file)
  const { width, height } = file
  return [{ kind, url, words: kind === 'link' ? (file.title ?? file.filename ?? words) : words, width, height }]
}

/** Returns how a file is shown. Types that browsers cannot show become links for download. */
function kindOf({ detected_type, content_type }: FileRow): GalleryItem['kind'] {
  const [family] = (detected_type ?? content_type ?? '').split('/')
  return family === 'image' || family === 'video' || family === 'audio' ? family : 'link'
}
