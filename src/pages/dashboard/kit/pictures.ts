import { html } from 'hono/html'
import type { Shown } from '../../../resources/nouns.ts'
import type { Page } from '../../parts/markup.ts'
import { answeredRows } from './call.ts'
import type { DashboardContext } from './visit.ts'
import { shortened } from './words.ts'

export type ShownFile = Shown<'file'>

/** Image types that are served inline. Others, such as SVG, are served as downloads. */
const SERVED = /^image\/(png|jpeg|gif|webp|avif|bmp|apng)$/

export function isPicture({ content_type: type, file_url: url }: Pick<ShownFile, 'content_type' | 'file_url'>) {
  return url !== null && SERVED.test(type ?? '')
}

/** Shows a thumbnail, or the file's type. The alternative text is empty, because the file's name is next to it. */
export function thumbnail(file: Pick<ShownFile, 'content_type' | 'file_url' | 'kind'>): Page {
  if (isPicture(file)) return html`<img src="${file.file_url}" alt="" loading="lazy" decoding="async">`
  const [, name = ''] = (file.content_type ?? '').split('/')
  return html`<span aria-hidden="true">${file.kind === 'external_video' ? 'Video' : shortened(name.toUpperCase() || 'File', 12)}</span>`
}

export const MOST_OFFERED = 24
const A_PAGE = 100
/** The maximum number of pages of the file list that are read to find enough pictures. */
const MOST_PAGES = 3

const newest = new WeakMap<DashboardContext, Promise<ShownFile[]>>()

/** Returns the newest ready files, with enough pictures to choose from if possible. They are read once per request. */
export function newestFiles(visit: DashboardContext): Promise<ShownFile[]> {
  const found = newest.get(visit) ?? readNewest(visit)
  newest.set(visit, found)
  return found
}

async function readNewest(visit: DashboardContext): Promise<ShownFile[]> {
  const files: ShownFile[] = []
  for (let pages = 0; pages < MOST_PAGES && files.filter(isPicture).length < MOST_OFFERED; pages++) {
    const after = files.at(-1)?.id
    const query = { limit: A_PAGE, upload_status: 'ready' as const, ...(after && { starting_after: after }) }
    const { rows, more } = await answeredRows(visit.call('GET /files', { query }))
    files.push(...rows)
    if (!more) break
  }
  return files
}

export function isMedium({ content_type: type }: ShownFile): boolean {
  return /^(image|video)\//.test(type ?? '')
}

export interface Choice {
  value: string
  words: string
  thumbnail: Page
}

export function pickOf(file: ShownFile): Choice {
  return { value: file.id, words: file.title ?? file.filename ?? 'Untitled', thumbnail: thumbnail(file) }
}

interface PicksOptions {
  kind: 'checkbox' | 'radio'
  name: string
  id: string
  label: string
  picks: Choice[]
  chosen: readonly string[]
  described?: Page | string
  below?(choice: Choice): Page
}

export function picksOf({ kind, name, id, label, picks, chosen, described = '', below }: PicksOptions): Page {
  const tiles = picks.map((choice) => {
    const { value, words, thumbnail } = choice
    return html`<div class="pick"><label><span class="tile-picture">${thumbnail}</span><span class="pick-words"><input type="${kind}" name="${name}" value="${value}"${chosen.includes(value) ? html` checked` : ''}> ${shortened(words, 40)}</span></label>${below?.(choice) ?? ''}</div>`
  })
  return html`<div class="tiles picks" id="${id}" role="${kind === 'radio' ? 'radiogroup' : 'group'}" aria-label="${label}" tabindex="-1"${described}>${tiles}</div>`
}
