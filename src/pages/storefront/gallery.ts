import { html } from 'hono/html'
import type { Row } from '../../contract/declarations/noun.ts'
import type { Context } from '../../records/context.ts'
import { findRows } from '../../records/records.ts'
import type { Product } from '../../resources/catalog/product/product.ts'
import { fileUrl } from '../../resources/content/file/addresses.ts'
import { File } from '../../resources/content/file/file.ts'
import type { Page } from '../parts/document.ts'

type FileRow = Row<typeof File>
type ProductRow = Row<typeof Product>

/** Something of a gallery. */
export interface Shown {
  kind: 'image' | 'video' | 'audio' | 'link'
  url: string
  words: string
}

/** The galleries of products, by the product's id. */
export async function galleriesOf(context: Context, products: readonly ProductRow[]): Promise<Map<string, Shown[]>> {
  const files = await findRows(
    context,
    File,
    products.flatMap(({ media }) => media ?? []),
  )
  return new Map(
    products.map((product) => {
      const shown = (product.media ?? []).flatMap((id, index) => {
        const file = files.get(id)
        return file ? shownOf(context, file, `${product.name}, ${index + 1}`) : []
      })
      return [product.id, shown]
    }),
  )
}

/** The address of the first picture, or null. */
export function firstPicture(gallery: readonly Shown[] = []): string | null {
  return gallery.find(({ kind }) => kind === 'image')?.url ?? null
}

export function galleryPart(gallery: readonly Shown[]): Page {
  const items = gallery.map((one, index) => html`<li class="${one.kind}">${partOf(one, index > 0)}</li>`)
  return html`<ul class="gallery">${items}</ul>`
}

function partOf({ kind, url, words }: Shown, isBelow: boolean): Page {
  if (kind === 'image')
    return html`<img src="${url}" alt="${words}" itemprop="image" decoding="async"${isBelow ? html` loading="lazy"` : ''}>`
  if (kind === 'video') return html`<video src="${url}" controls preload="metadata" aria-label="${words}"></video>`
  if (kind === 'audio') return html`<audio src="${url}" controls preload="none" aria-label="${words}"></audio>`
  return html`<a href="${url}" rel="noreferrer">${words}</a>`
}

const SITES = { youtube: 'YouTube', vimeo: 'Vimeo', wistia: 'Wistia' }

/** Nothing is loaded from other sites: their videos are linked to. */
function shownOf(context: Context, file: FileRow, otherwise: string): Shown[] {
  const words = file.alternative_text ?? file.title ?? otherwise
  if (file.kind === 'external_video' && file.url !== null) {
    const site = file.provider === null ? '' : ` on ${SITES[file.provider]}`
    return [{ kind: 'link', url: file.url, words: `Watch the video${site}: ${words}` }]
  }
  const url = fileUrl(context, file)
  return url === null
    ? []
    : [{ kind: kindOf(file), url, words: kindOf(file) === 'link' ? (file.title ?? file.filename ?? words) : words }]
}

/** What browsers show by themselves, as the bytes say; the rest is offered for download. */
function kindOf({ detected_type, content_type }: FileRow): Shown['kind'] {
  const [family] = (detected_type ?? content_type ?? '').split('/')
  return family === 'image' || family === 'video' || family === 'audio' ? family : 'link'
}
