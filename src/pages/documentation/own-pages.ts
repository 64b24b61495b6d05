import { html, raw } from 'hono/html'
import type { Page } from '../parts/markup.ts'
import type { Book } from './book.ts'
import { framed, navigation } from './frame.ts'
import { renderMarkdown } from './markdown.ts'
import { fence } from './page.ts'
import type { SearchResult } from './search.ts'

export const MAX_SUGGESTIONS = 5

const DESCRIPTION = 'A commerce backend that agents program.'

export function startPage(book: Book, publicUrl: string): Page {
  const content = html`<h1>Shopwright</h1><p class="lead">${DESCRIPTION}</p>
<ul class="cards"><li><a href="/dashboard">Dashboard</a><p>Products, orders, agents, plans and settings of your account.</p></li>
<li><a href="/docs">Documentation</a><p>Guides, and a reference of all ${book.catalogue.operations.length} operations.</p></li></ul>
${raw(renderMarkdown(addresses(publicUrl)).html)}`
  const page = { title: DESCRIPTION.replace('.', ''), description: DESCRIPTION, path: '/', markdownPath: null }
  return framed({ ...page, navigation: navigation(book, '/'), content }, publicUrl)
}

function addresses(publicUrl: string): string {
  return `## Addresses

- \`${publicUrl}/mcp\` *MCP*

  The endpoint for agents: two tools, programs in Ruby. [Connect a client](/docs/clients)

- \`${publicUrl}/v1\` *REST*

  The API, described by [openapi.json](/v1/openapi.json). [How to call it](/docs/rest)

- \`${publicUrl}/llms.txt\` *text*

  The documentation for agents: every page in Markdown.

The first two need an API token. A first request:

${fence('bash', `curl ${publicUrl}/v1/products -H "Authorization: Bearer $SHOPWRIGHT_TOKEN"`)}

To receive events in your own service, see [webhooks](/docs/webhooks).`
}

/** Renders the page of search results, for browsers without scripts and for the Enter key. */
export function searchContent(question: string, found: readonly SearchResult[]): Page {
  const results = found.map(
    ({ path, title, section, description }) =>
      html`<li><a href="${path}">${title}</a> <span class="quiet">${section}</span><p>${description}</p></li>`,
  )
  return html`<h1>${question === '' ? 'Search' : `Results for “${question}”`}</h1>
${found.length > 0 ? html`<ol class="results">${results}</ol>` : html`<p>${nothing(question)}</p>`}`
}

function nothing(question: string): Page {
  if (question === '') return html`Type a search term in the field at the top.`
  return html`No results. Try fewer or different words, or browse <a href="/docs/api">all operations</a>.`
}

interface Suggestion {
  path: string
  title: string
}

/** The search words for an unknown page are those in the last segment of its path. */
export function wordsOf(path: string): string {
  return path
    .replace(/^\/docs\/?(.*\/(?=.))?/, '')
    .replace(/\.md$/, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

export function unknownContent(path: string, offered: readonly Suggestion[]): Page {
  const links = offered.map((one) => html`<li><a href="${one.path}">${one.title}</a></li>`)
  return html`<h1>Page not found</h1>
<p>There is no page at <code>${path}</code>. Search with the field at the top, or start with the <a href="/docs">guides</a> or <a href="/docs/api">all operations</a>.</p>
${links.length > 0 ? html`<h2>You may be looking for</h2><ul>${links}</ul>` : ''}`
}

export function unknownText(path: string, offered: readonly Suggestion[], publicUrl: string): string {
  const links = offered.map((one) => `- [${one.title}](${publicUrl}${one.path}.md)`)
  const perhaps = links.length > 0 ? `\n## You may be looking for\n\n${links.join('\n')}\n` : ''
  return `# Page not found\n\nThere is no page at \`${path.replaceAll('`', '')}\`. All pages: ${publicUrl}/llms.txt\n${perhaps}`
}
