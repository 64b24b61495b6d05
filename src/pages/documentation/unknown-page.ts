import { html } from 'hono/html'
import type { Page } from '../parts/markup.ts'

/** Pages of a close name that are offered. */
export const MOST_OFFERED = 5

interface Offered {
  path: string
  title: string
}

/** What to look for instead of a page that is not there: the last part of its address, in words. */
export function wordsOf(path: string): string {
  return path
    .replace(/^\/docs\/?(.*\/(?=.))?/, '')
    .replace(/\.md$/, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

export function unknownContent(path: string, offered: readonly Offered[]): Page {
  const links = offered.map((one) => html`<li><a href="${one.path}">${one.title}</a></li>`)
  return html`<h1>Page not found</h1>
<p>There is no page at <code>${path}</code>. Search with the field at the top, or start with the <a href="/docs">guides</a> or <a href="/docs/api">all operations</a>.</p>
${links.length > 0 ? html`<h2>You may be looking for</h2><ul>${links}</ul>` : ''}`
}

export function unknownText(path: string, offered: readonly Offered[], publicUrl: string): string {
  const links = offered.map((one) => `- [${one.title}](${publicUrl}${one.path}.md)`)
  const perhaps = links.length > 0 ? `\n## You may be looking for\n\n${links.join('\n')}\n` : ''
  return `# Page not found\n\nThere is no page at \`${path.replaceAll('`', '')}\`. All pages: ${publicUrl}/llms.txt\n${perhaps}`
}
