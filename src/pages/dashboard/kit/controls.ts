import { html, raw } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import { mayOpen } from './page-rights.ts'
import type { DashboardContext } from './visit.ts'

/** The icons as SVG paths on a 16 × 16 grid. They have the color of the text. */
const PATHS = {
  home: 'M2.5 7 8 2.5 13.5 7v6.5h-4V9.5h-3v4h-4z',
  orders: 'M4 2.5h8v11l-2-1.3-2 1.3-2-1.3-2 1.3zM6 5.5h4M6 8h4',
  products: 'M8 1.8 13.5 4.9v6.2L8 14.2 2.5 11.1V4.9zM2.7 5 8 8l5.3-3M8 8v6',
  customers:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M11 2.8a2.4 2.4 0 0 1 0 4.5M12 9.8c1.5.6 2.5 1.9 2.5 3.7',
  subscriptions: 'M13 6A5.3 5.3 0 0 0 3.4 5M3 2.5V5.5h3M3 10a5.3 5.3 0 0 0 9.6 1M13 13.5v-3h-3',
  reports: 'M2.5 13.5h11M4.5 11V8M8 11V3.5M11.5 11V6',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3l3.4 3.4',
  selling: 'M2.5 7.5V2.5h5l6 6-5 5zM5.5 5.5h.01',
  content: 'M3.5 2.5h6l3 3v8h-9zM9.5 2.5v3h3M6 8.5h4M6 11h4',
  audience: 'M2.5 6.5v3h2l6 3.5V3l-6 3.5zM12.5 6.3a2.3 2.3 0 0 1 0 3.4',
  agents: 'M3 5.5h10v7H3zM8 5.5V2.5M6 8.5v1M10 8.5v1M1.5 8v2M14.5 8v2',
  account: 'M2.5 13.5v-8L8 2.5l5.5 3v8zM6.5 13.5v-4h3v4',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  close: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
} as const

/** Renders a text that people can select, with a copy button if scripts run. */
export function copyable(text: string, label: string): Page {
  return html`<div class="copyable" data-controller="copy">
<pre class="code" tabindex="0" role="region" aria-label="${label}"><code data-copy-target="source">${text}</code></pre>
<button type="button" class="copy" hidden data-copy-target="button" data-action="copy#copy">Copy</button></div>`
}

/** Renders a link with a copy button on one line. `of` names the link's subject for screen readers. */
export function copyableAddress(address: string, of: string): Page {
  return html`<span class="copy-inline" data-controller="copy"><a class="copy-text" href="${address}" target="_blank" rel="noreferrer noopener" data-turbo="false" data-copy-target="source">${address}</a>
<button type="button" class="small" hidden data-copy-target="button" data-action="copy#copy" aria-label="Copy the address: ${of}">Copy</button></span>`
}

/** Renders a short text, such as a code, with a copy button on one line. `what` names the text for screen readers. */
export function copyableText(text: string, what: string): Page {
  return html`<span class="copy-inline" data-controller="copy"><strong class="copy-text" data-copy-target="source">${text}</strong>
<button type="button" class="small" hidden data-copy-target="button" data-action="copy#copy" aria-label="Copy ${what}">Copy</button></span>`
}

/** Renders a preview of the page that a form creates, as wide as a desktop or a phone. Links in the preview do nothing. */
export function previewPart(address: string, title: string): Page {
  return html`<section class="preview" aria-labelledby="preview"><header><h2 id="preview">Preview</h2><div class="preview-widths" role="radiogroup" aria-label="Width"><label><input type="radio" name="preview-width" value="desk" checked> Desktop</label><label><input type="radio" name="preview-width" value="phone"> Phone</label></div></header>
${previewSaid('preview')}<div class="preview-window"><iframe name="preview" loading="lazy" title="${title}" src="${address}" sandbox="allow-same-origin" data-preview-target="frame"></iframe></div></section>`
}

/** Renders the element in which the script reports why a preview is out of date. */
export function previewSaid(controller: 'preview' | 'networks'): Page {
  return html`<p class="preview-said" role="status" data-${controller}-target="said"></p>`
}

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

export type IconName = keyof typeof PATHS

/** Renders a decorative icon. The text next to the icon has the same meaning. */
export function icon(name: IconName): Page {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">${raw(`<path d="${PATHS[name]}"/>`)}</svg>`
}

/** A tab of a page. `path` is below the account's address. */
export interface Tab {
  path: string
  words: string
}

/** Shows those tabs that the person may open. */
export function tabs(visit: DashboardContext, label: string, every: readonly Tab[]): Page {
  const all = every.filter((tab) => mayOpen(visit, tab.path))
  const open = openTab(visit, all)
  return html`<nav class="tabs" aria-label="${label}"><ul>${all.map((tab) => tabLink(visit, tab, tab === open))}</ul></nav>`
}

/** Returns the tab with the longest path that is a prefix of the address. */
export function openTab<One extends Tab>({ base, path }: DashboardContext, all: readonly One[]): One | undefined {
  const below = path.slice(base.length)
  return all
    .filter((tab) => below === tab.path || below.startsWith(`${tab.path}/`))
    .toSorted((one, other) => other.path.length - one.path.length)[0]
}

export function tabLink({ base }: DashboardContext, { path, words }: Tab, isOpen: boolean): Page {
  return html`<li><a class="tab" href="${base}${path}"${isOpen ? html` aria-current="page"` : ''}>${words}</a></li>`
}
