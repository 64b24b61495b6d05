import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'

interface FoldOptions {
  words: string
  set: number
  /** Whether the list has no rows. Active filters may be the reason, so the filter form is then unfolded. */
  isEmpty: boolean
}

/** Renders the filter form. It is folded on narrow screens, so that the list's rows start on the first screen. */
export function foldedFilters(form: Page, { words, set, isEmpty }: FoldOptions): Page {
  const count = set > 0 ? html` <span class="badge">${set} set</span>` : ''
  return html`<details class="filters-fold folds"${set > 0 && isEmpty ? html` open` : ''}><summary><span data-list-part="fold">${words}${count}</span></summary>
${form}</details>`
}

export function nextLink(address: string): Page {
  return html`<nav class="pager" aria-label="Pages"><a class="button" rel="next" href="${address}">Next page</a></nav>`
}
