import { setImmediate } from 'node:timers/promises'
import type MiniSearch from 'minisearch'
import type { Book } from './book.ts'
import { type PageSource, plainWords, type Section } from './page.ts'

export interface SearchResult {
  path: string
  title: string
  section: string
  description: string
}

/** Longer queries are cut to this length. */
export const MAX_QUESTION = 100
const MAX_RESULTS = 20

/** The number of pages that are indexed before other requests are processed. */
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
