import { html, raw } from 'hono/html'
import { safeHtml } from '../../contract/declarations/rich-text.ts'
import type { Part } from '../../resources/content/part.ts'
import type { Page } from '../parts/markup.ts'

/** The maximum number of pages. Readers find older entries through links. */
const MAX_PAGES = 200

/** Parses a page number, which starts at 1. Returns null if it is invalid. */
export function pageNumber(given: string | undefined): number | null {
  if (given === undefined) return 1
  return /^[1-9]\d{0,2}$/.test(given) && Number(given) <= MAX_PAGES ? Number(given) : null
}

/** Returns the range of rows on a page, plus one row that shows whether another page follows. */
export function pageRange(number: number, perPage: number): Part {
  return { offset: (number - 1) * perPage, limit: perPage + 1 }
}

export function pageUrl(url: string, number: number): string {
  return number === 1 ? url : `${url}?page=${number}`
}

export function pageLinks(url: string, number: number, hasMore: boolean): Page {
  const hasNext = hasMore && number < MAX_PAGES
  if (number === 1 && !hasNext) return html``
  const before = html`<a class="button" rel="prev" href="${pageUrl(url, number - 1)}">Newer</a>`
  const after = html`<a class="button" rel="next" href="${pageUrl(url, number + 1)}">Older</a>`
  return html`<nav class="neighbours" aria-label="More pages">${number > 1 ? before : ''}${hasNext ? after : ''}</nav>`
}

/** Renders a merchant's HTML. It is sanitized again, because not all of it was checked by an operation. */
export function prose(text: string): Page {
  return html`<div class="prose">${raw(safeHtml(text))}</div>`
}

/** Renders a merchant's plain text, in which blank lines separate paragraphs. */
export function paragraphs(text: string): Page[] {
  const parts = text.split(/\n\s*\n/).filter((part) => part.trim() !== '')
  return parts.map((part) => html`<p class="plain">${part.trim()}</p>`)
}
