import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'

interface FoldOptions {
  /** What the form does, in words. */
  words: string
  /** How many of its fields have a value. */
  set: number
  /** The list shows nothing: what is set may be why, so it is shown. */
  isEmpty: boolean
}

/** The form that narrows a list: folded on narrow screens, so that the list begins on the first of them. */
export function foldedFilters(form: Page, { words, set, isEmpty }: FoldOptions): Page {
  const count = set > 0 ? html` <span class="badge">${set} set</span>` : ''
  return html`<details class="filters-fold folds"${set > 0 && isEmpty ? html` open` : ''}><summary><span data-list-part="fold">${words}${count}</span></summary>
${form}</details>`
}
