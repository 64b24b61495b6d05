import { html } from 'hono/html'
import { document, type Frame } from './document.ts'
import type { Page } from './markup.ts'

/** A page about something that is closed, such as an expired checkout. `way` is a link to another page. */
export interface ClosedView {
  frame: Frame
  title: string
  words: string
  way: { url: string; words: string } | null
}

export function closedPage({ frame, title, words, way }: ClosedView): Page {
  const email = frame.shop?.email
  const ask = email ? html`<p class="hint">Or write to <a href="mailto:${email}">${email}</a>.</p>` : html``
  const content = html`<div class="message"><h1>${title}</h1><p>${words}</p>
${way ? html`<p><a class="button primary" href="${way.url}" rel="noreferrer">${way.words}</a></p>` : ''}${way ? ask : ''}</div>`
  return document(title, frame, content)
}
