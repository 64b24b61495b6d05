import { nounFor } from '../../words/counts.ts'
import { type Catalogue, grouped, groupTitle, operationPath, resourcePath, resourceTitle } from './catalogue.ts'
import type { PageSource } from './page.ts'

/** The page that lists every operation and resource by group. */
export function referencePage(catalogue: Catalogue): PageSource {
  return {
    path: '/docs/api',
    title: 'API reference',
    description: `Every operation and every resource of the API, ${catalogue.operations.length} operations in total.`,
    section: 'Operations',
    body: () => `${INTRODUCTION}\n\n${referenceLines(catalogue)}`,
  }
}

const INTRODUCTION = `Each operation can be called over [REST](/docs/rest) and in [programs](/docs/programs) with the same
path, fields and results. The machine-readable form is [openapi.json](/v1/openapi.json).`

/** A heading for each group, with its operations and the resources that they answer. */
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
