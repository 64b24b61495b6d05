import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'
import type { Visit } from './visit.ts'

/** A page of a group, by its path below the account. */
export interface Tab {
  path: string
  words: string
}

/** The pages of a group beside each other; the longest path that the address begins with is the one that is open. */
export function tabs({ base, path }: Visit, label: string, all: readonly Tab[]): Page {
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
