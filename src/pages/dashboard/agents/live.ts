import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'

/** A part of a page that loads itself anew every few seconds while somebody looks at it; a link does so without scripts. */
export function live(id: string, content: Page): Page {
  return html`<turbo-frame id="${id}" target="_top" data-controller="refresh" data-refresh-seconds-value="5">${content}</turbo-frame>
<noscript><p class="reload"><a href="">Reload to see updates</a></p></noscript>`
}
