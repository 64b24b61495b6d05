import { html, raw } from 'hono/html'
import { safeHtml } from '../../contract/declarations/rich-text.ts'
import type { Page } from '../parts/markup.ts'

/** A merchant's HTML. It was cleaned when it was written, but not all of it came through an operation. */
export function prose(text: string): Page {
  return html`<div class="prose">${raw(safeHtml(text))}</div>`
}

/** A merchant's plain text: blank lines part paragraphs. */
export function paragraphs(text: string): Page[] {
  const parts = text.split(/\n\s*\n/).filter((part) => part.trim() !== '')
  return parts.map((part) => html`<p class="plain">${part.trim()}</p>`)
}
