import { errorDocsUrl } from '../../contract/declarations/errors.ts'
import { EventTypes } from '../../contract/documents/event-types.ts'
import { resourceDocs, shownNouns } from '../../contract/documents/resource-docs.ts'
import { nounFor } from '../../format/counts.ts'
import { type Catalogue, grouped, groupTitle, operationPath, resourcePath, resourceTitle } from './catalogue.ts'
import { errorPages } from './error-pages.ts'
import { type Guide, guides, guideWords, type ServiceFacts } from './guides.ts'
import { operationPage } from './operation-page.ts'
import type { PageSource } from './page.ts'
import { resourcePage } from './resource-page.ts'

const INTRODUCTION = `Each operation can be called over [REST](/docs/rest) and in [programs](/docs/programs) with the same
path, fields and results. The machine-readable form is [openapi.json](/v1/openapi.json).`

export interface Book {
  catalogue: Catalogue
  guides: readonly Guide[]
  /** Pages in reading order. */
  pages: readonly PageSource[]
  find(path: string): PageSource | undefined
}

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

function referencePage(catalogue: Catalogue): PageSource {
  return {
    path: '/docs/api',
    title: 'API reference',
    description: `Every operation and every resource of the API, ${catalogue.operations.length} operations in total.`,
    section: 'Operations',
    body: () => `${INTRODUCTION}\n\n${referenceLines(catalogue)}`,
  }
}

function referenceLines({ operations }: Catalogue): string {
  return [...grouped(operations)]
    .map(([group, own]) => {
      const lines = own.map(
        ({ id, method, path, summary }) => `- [${summary}](${operationPath(id)}): \`${method} ${path}\``,
      )
      const resources = [...new Set(own.map(({ noun }) => noun.name))].map(
        (name) => `[${resourceTitle(name)}](${resourcePath(name)})`,
      )
      const named = `${nounFor(resources.length, 'Resource')}: ${resources.join(', ')}.`
      return `## ${groupTitle(group)}\n\n${lines.join('\n')}\n\n${named}`
    })
    .join('\n\n')
}
