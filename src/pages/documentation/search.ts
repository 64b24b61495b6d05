import { setImmediate } from 'node:timers/promises'
import { html, raw } from 'hono/html'
import type MiniSearch from 'minisearch'
import type { Page } from '../parts/markup.ts'
import type { Book } from './book.ts'
import { framed, navigation } from './frame.ts'
import { renderMarkdown } from './markdown.ts'
import { fence, type PageSource, plainWords, type Section } from './page.ts'

interface SearchResult {
  path: string
  title: string
  section: string
  description: string
}

/** The maximum length of a query in characters. Longer queries are cut. */
export const MAX_QUESTION = 100
const MAX_RESULTS = 20

/** The number of pages that are indexed at a time. Between two of these batches, other requests are processed. */
const PAGES_PER_TURN = 10

interface IndexEntry extends SearchResult {
  id: string
  headings: string
  keywords: string
  text: string
}

/** Full-text search over the pages. The index is built on the first query. */
export class DocumentationSearch {
  readonly #book: Book
  #index: Promise<MiniSearch<IndexEntry>> | undefined

  constructor(book: Book) {
    this.#book = book
  }

  /** Returns the matching pages, best match first. Words may be incomplete or slightly misspelt. */
  async find(question: string): Promise<SearchResult[]> {
    this.#index ??= indexOf(this.#book)
    const index = await this.#index
    const words = question.slice(0, MAX_QUESTION).trim()
    if (words === '') return []
    const results = index.search(words)
    return results
      .slice(0, MAX_RESULTS)
      .map(({ path, title, section, description }) => ({ path, title, section, description }))
  }
}

/** Guides, which explain operations, rank higher, because most readers want to build something. */
const BOOST: Record<Section, number> = { Guides: 3, Operations: 1.2, Resources: 1.3, Errors: 1 }
const CREATE_PAGE = /^\/docs\/api\/create_/
const CREATE_BOOST = 2

async function indexOf({ pages }: Book): Promise<MiniSearch<IndexEntry>> {
  const { default: Library } = await import('minisearch')
  const index = new Library<IndexEntry>({
    fields: ['title', 'keywords', 'path', 'headings', 'description', 'text'],
    storeFields: ['path', 'title', 'section', 'description'],
    searchOptions: {
      boost: { title: 6, keywords: 6, path: 3, headings: 3, description: 2 },
      boostDocument: (path, _term, stored) => boostOf(path, stored?.section as Section),
      combineWith: 'AND',
      prefix: (term) => term.length > 1,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  })
  for (const [number, page] of pages.entries()) {
    index.add(entryOf(page))
    if (number % PAGES_PER_TURN === 0) await setImmediate()
  }
  return index
}

function boostOf(path: string, section: Section): number {
  return CREATE_PAGE.test(path) ? CREATE_BOOST : BOOST[section]
}

function entryOf({ path, title, section, description, keywords = '', body }: PageSource): IndexEntry {
  const text = body()
  const headings = section === 'Guides' ? [...text.matchAll(/^##+ (.+)$/gm)].map(([, heading]) => heading!) : []
  const words = { headings: headings.join(' '), keywords, text: plainWords(text) }
  return { id: path, path, title, section, description, ...words }
}

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

/** Returns the search words for an unknown page: the words in the last segment of its path. */
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
