import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'

/** An address to hand on, with a button that copies it where scripts run. `of` says whose it is, for screen readers. */
export function copyable(address: string, of: string): Page {
  return html`<span class="shop-copyable" data-controller="copy"><a class="copy-text" href="${address}" target="_blank" rel="noreferrer noopener" data-turbo="false" data-copy-target="source">${address}</a>
<button type="button" class="shop-small" hidden data-copy-target="button" data-action="copy#copy" aria-label="Copy the address: ${of}">Copy</button></span>`
}
