import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import { mayOpen } from './page-rights.ts'
import type { DashboardContext } from './visit.ts'

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
