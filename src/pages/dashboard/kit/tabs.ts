import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'
import { mayOpen } from './page-rights.ts'
import type { Visit } from './visit.ts'

/** A page of a group, by its path below the account. */
export interface Tab {
  path: string
  words: string
}

/** The pages of a group beside each other, as far as the person may open them; the longest path that the address begins with is the one that is open. */
export function tabs(visit: Visit, label: string, every: readonly Tab[]): Page {
  const { base, path } = visit
  const all = every.filter((tab) => mayOpen(visit, tab.path))
  const below = path.slice(base.length)
  const open = all
    .filter((tab) => below === tab.path || below.startsWith(`${tab.path}/`))
    .toSorted((one, other) => other.path.length - one.path.length)[0]
  const links = all.map(
    (tab) =>
      html`<li><a class="tab" href="${base}${tab.path}"${tab === open ? html` aria-current="page"` : ''}>${tab.words}</a></li>`,
  )
  return html`<nav class="tabs" aria-label="${label}"><ul>${links}</ul></nav>`
}
