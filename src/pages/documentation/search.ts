import MiniSearch from 'minisearch'
import type { Book } from './book.ts'
import { renderMarkdown } from './markdown.ts'
import { markdownOf, type PageSource, plainWords } from './page.ts'

export interface Found {
  path: string
  title: string
  section: string
  description: string
}

/** Longer questions are cut. */
export const MAX_QUESTION = 100
const MAX_RESULTS = 20

interface Entry extends Found {
  id: string
  headings: string
  text: string
}

/** Finds pages by words. The index is made when the first question comes. */
export class DocumentationSearch {
  readonly #book: Book
  #index: MiniSearch<Entry> | undefined

  constructor(book: Book) {
    this.#book = book
  }

  /** The best pages first. Words may be begun or slightly misspelt. */
  find(question: string): Found[] {
    this.#index ??= indexOf(this.#book)
    const words = question.slice(0, MAX_QUESTION).trim()
    if (words === '') return []
    const results = this.#index.search(words)
    return results
      .slice(0, MAX_RESULTS)
      .map(({ path, title, section, description }) => ({ path, title, section, description }))
  }
}

/** A guide explains what an operation only does, so it comes first where both fit. */
const BOOST: Record<string, number> = { Guides: 2, Operations: 1.2, Resources: 1.1, Errors: 1 }

function indexOf({ pages }: Book): MiniSearch<Entry> {
  const index = new MiniSearch<Entry>({
    fields: ['title', 'path', 'headings', 'description', 'text'],
    storeFields: ['path', 'title', 'section', 'description'],
    searchOptions: {
      boost: { title: 6, path: 3, headings: 3, description: 2 },
      boostDocument: (_id, _term, stored) => BOOST[String(stored?.section)] ?? 1,
      combineWith: 'AND',
      prefix: (term) => term.length > 1,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  })
  index.addAll(pages.map(entryOf))
  return index
}

function entryOf(page: PageSource): Entry {
  const { path, title, section, description } = page
  const markdown = page.section === 'Guides' ? markdownOf(page) : page.body()
  const headings = page.section === 'Guides' ? renderMarkdown(markdown).headings.map(({ text }) => text) : []
  return { id: path, path, title, section, description, headings: headings.join(' '), text: plainWords(markdown) }
}
