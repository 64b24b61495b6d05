import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'
import { mayOpen } from './page-rights.ts'
import type { Visit } from './visit.ts'

/** A page of a group, by its path below the account. */
export interface Tab {
  path: string
  words: string
}

/** The pages of a group beside each other, as far as the person may open them. */
export function tabs(visit: Visit, label: string, every: readonly Tab[]): Page {
  const all = every.filter((tab) => mayOpen(visit, tab.path))
  const open = openTab(visit, all)
  return html`<nav class="tabs" aria-label="${label}"><ul>${all.map((tab) => tabLink(visit, tab, tab === open))}</ul></nav>`
}

/** The longest path that the address begins with is the one that is open. */
export function openTab<One extends Tab>({ base, path }: Visit, all: readonly One[]): One | undefined {
  const below = path.slice(base.length)
  return all
    .filter((tab) => below === tab.path || below.startsWith(`${tab.path}/`))
    .toSorted((one, other) => other.path.length - one.path.length)[0]
}

export function tabLink({ base }: Visit, { path, words }: Tab, isOpen: boolean): Page {
  return html`<li><a class="tab" href="${base}${path}"${isOpen ? html` aria-current="page"` : ''}>${words}</a></li>`
}
