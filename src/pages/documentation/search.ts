import { setImmediate } from 'node:timers/promises'
import MiniSearch from 'minisearch'
import type { Book } from './book.ts'
import { type PageSource, plainWords } from './page.ts'

export interface Found {
  path: string
  title: string
  section: string
  description: string
}

/** Longer questions are cut. */
export const MAX_QUESTION = 100
const MAX_RESULTS = 20

/** Pages that are added to the index before other requests have their turn. */
const AT_ONCE = 10

interface Entry extends Found {
  id: string
  headings: string
  text: string
}

/** Finds pages by words. The index is made when the first question comes. */
export class DocumentationSearch {
  readonly #book: Book
  #index: Promise<MiniSearch<Entry>> | undefined

  constructor(book: Book) {
    this.#book = book
  }

  /** The best pages first. Words may be begun or slightly misspelt. */
  async find(question: string): Promise<Found[]> {
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

/** A guide explains what an operation only does, so it comes first where both fit. */
const BOOST: Record<string, number> = { Guides: 2, Operations: 1.2, Resources: 1.1, Errors: 1 }

async function indexOf({ pages }: Book): Promise<MiniSearch<Entry>> {
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
  for (const [number, page] of pages.entries()) {
    index.add(entryOf(page))
    if (number % AT_ONCE === 0) await setImmediate()
  }
  return index
}

function entryOf({ path, title, section, description, body }: PageSource): Entry {
  const text = body()
  const headings = section === 'Guides' ? [...text.matchAll(/^##+ (.+)$/gm)].map(([, heading]) => heading!) : []
  return { id: path, path, title, section, description, headings: headings.join(' '), text: plainWords(text) }
}
