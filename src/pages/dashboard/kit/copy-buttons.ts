import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'

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
