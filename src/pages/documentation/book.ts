import { errorDocsUrl } from '../../contract/declarations/errors.ts'
import { EventTypes } from '../../contract/documents/event-types.ts'
import { resourceDocs, shownNouns } from '../../contract/documents/resource-docs.ts'
import type { Catalogue } from './catalogue.ts'
import { errorPages } from './error-pages.ts'
import { guideWords, type ServiceFacts } from './guide-words.ts'
import { type Guide, guides } from './guides.ts'
import { operationPage } from './operation-page.ts'
import type { PageSource } from './page.ts'
import { referencePage } from './reference.ts'
import { resourcePage } from './resource-page.ts'

/** Every page of the documentation. */
export interface Book {
  catalogue: Catalogue
  guides: readonly Guide[]
  /** All pages in the order of reading. */
  pages: readonly PageSource[]
  find(path: string): PageSource | undefined
}

/** Makes the pages from the guides and from what is declared. */
export function makeBook(catalogue: Catalogue, facts: ServiceFacts): Book {
  const { operations, findNoun } = catalogue
  const eventTypes = new EventTypes(catalogue.nouns, findNoun)
  const docs = resourceDocs(operations, findNoun)
  const written = guides(guideWords(facts, catalogue, eventTypes))
  const pages: PageSource[] = [
    ...written,
    referencePage(catalogue),
    ...operations.map((operation) => operationPage(operation, catalogue, facts.publicUrl)),
    ...shownNouns(operations, findNoun).map((noun) =>
      resourcePage(noun, { catalogue, docs: docs[noun.name]!, eventTypes }),
    ),
    ...errorPages(errorDocsUrl(facts.publicUrl)),
  ]
  const byPath = new Map(pages.map((page) => [page.path, page]))
  return { catalogue, guides: written, pages, find: (path) => byPath.get(path) }
}
