import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'
import { mayOpen } from './page-rights.ts'
import type { Visit } from './visit.ts'

interface ButtonOptions {
  /** Where it is sent to, below the account. */
  path: string
  words: string
  /** `primary`, `danger` and so on. */
  look?: string
  /** What it is about, for those who hear it without the row that it stands in. */
  about?: string
}

/** A button that does something at once, as a form of its own; nothing for people whose role does not include it. */
export function buttonForm(visit: Visit, { path, words, look = '', about }: ButtonOptions): Page {
  if (!mayOpen(visit, path, 'POST')) return html``
  const { base, csrf } = visit
  return html`<form class="button-form" method="post" action="${base}${path}"><input type="hidden" name="csrf" value="${csrf}"><button class="${look}">${words}${about ? html`<span class="unseen"> ${about}</span>` : ''}</button></form>`
}
