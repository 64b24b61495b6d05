import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'

/** A program with the numbers of its lines; `wrong` is the line where it failed. */
export function numberedCode(text: string, wrong: number | null = null): Page {
  const lines = text.trimEnd().split('\n')
  const rows = lines.map((line, index) => {
    const number = index + 1
    return html`<span class="code-line${number === wrong ? ' wrong-line' : ''}" data-line="${number}">${line}
</span>`
  })
  return html`<pre class="code numbered" tabindex="0" role="region" aria-label="The program"><code>${rows}</code></pre>`
}

/** A part of a page that loads itself anew every few seconds while somebody looks at it; a link does so without scripts. */
export function live(id: string, content: Page): Page {
  return html`<turbo-frame id="${id}" target="_top" data-controller="refresh" data-refresh-seconds-value="5">${content}</turbo-frame>
<noscript><p class="reload"><a href="">Reload to see updates</a></p></noscript>`
}
