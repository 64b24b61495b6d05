import { html, raw } from 'hono/html'
import { safeHtml } from '../../contract/declarations/rich-text.ts'
import type { Part } from '../../resources/content/part.ts'
import type { Page } from '../parts/markup.ts'

/** Whoever goes further looks for something, which links find better. */
const MOST_PAGES = 200

/** The page that a query names, from 1; null for what is none. */
export function pageNumber(given: string | undefined): number | null {
  if (given === undefined) return 1
  return /^[1-9]\d{0,2}$/.test(given) && Number(given) <= MOST_PAGES ? Number(given) : null
}

/** The rows of a page, and one more, which says that another page follows. */
export function partOf(number: number, perPage: number): Part {
  return { offset: (number - 1) * perPage, limit: perPage + 1 }
}

export function pageUrl(url: string, number: number): string {
  return number === 1 ? url : `${url}?page=${number}`
}

/** Links to the pages before and after, where there are any. */
export function neighbours(url: string, number: number, hasMore: boolean): Page {
  const hasNext = hasMore && number < MOST_PAGES
  if (number === 1 && !hasNext) return html``
  const before = html`<a class="button" rel="prev" href="${pageUrl(url, number - 1)}">Newer</a>`
  const after = html`<a class="button" rel="next" href="${pageUrl(url, number + 1)}">Older</a>`
  return html`<nav class="neighbours" aria-label="More pages">${number > 1 ? before : ''}${hasNext ? after : ''}</nav>`
}

/** A merchant's HTML. It was cleaned when it was written, but not all of it came through an operation. */
export function prose(text: string): Page {
  return html`<div class="prose">${raw(safeHtml(text))}</div>`
}

/** A merchant's plain text: blank lines part paragraphs. */
export function paragraphs(text: string): Page[] {
  const parts = text.split(/\n\s*\n/).filter((part) => part.trim() !== '')
  return parts.map((part) => html`<p class="plain">${part.trim()}</p>`)
}
