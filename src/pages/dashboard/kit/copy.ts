import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'

/** A text to take along: it can be selected, and where scripts run a button copies it. */
export function copyable(text: string, label: string): Page {
  return html`<div class="copyable" data-controller="copy">
<pre class="code" tabindex="0" role="region" aria-label="${label}"><code data-copy-target="source">${text}</code></pre>
<button type="button" class="copy" hidden data-copy-target="button" data-action="copy#copy">Copy</button></div>`
}

/** An address to hand on, in a line, with such a button. `of` says whose it is, for screen readers. */
export function copyableAddress(address: string, of: string): Page {
  return html`<span class="copy-inline" data-controller="copy"><a class="copy-text" href="${address}" target="_blank" rel="noreferrer noopener" data-turbo="false" data-copy-target="source">${address}</a>
<button type="button" class="small" hidden data-copy-target="button" data-action="copy#copy" aria-label="Copy the address: ${of}">Copy</button></span>`
}

/** A short text to take along, such as a code, in a line. `what` says what is copied, for screen readers. */
export function copyableText(text: string, what: string): Page {
  return html`<span class="copy-inline" data-controller="copy"><strong class="copy-text" data-copy-target="source">${text}</strong>
<button type="button" class="small" hidden data-copy-target="button" data-action="copy#copy" aria-label="Copy ${what}">Copy</button></span>`
}
