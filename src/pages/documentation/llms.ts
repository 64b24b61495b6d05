import type { Book } from './book.ts'
import { markdownOf, SECTIONS } from './page.ts'

const SUMMARY = `# Shopwright

> A commerce backend that agents program: a REST API, and an MCP endpoint with two tools that run Ruby programs. A program is one
> transaction: either all of it is saved, or nothing is.

Every page below is Markdown. Operations have the same paths, fields and results over REST and in programs.`

/** The index of all pages for agents, in the form of llmstxt.org. */
export function llmsText({ pages }: Book, publicUrl: string): string {
  const sections = SECTIONS.map((section) => {
    const own = pages.filter((page) => page.section === section)
    const links = own.map(({ title, path, description }) => `- [${title}](${publicUrl}${path}.md): ${description}`)
    return `## ${section === 'Errors' ? 'Optional' : section}\n\n${links.join('\n')}`
  })
  return `${[SUMMARY, ...sections].join('\n\n')}\n`
}

/** Guides of whoever runs the service that no program needs; the index has them. */
const FOR_OPERATORS = new Set([
  '/docs/moving',
  '/docs/providers',
  '/docs/real-keys',
  '/docs/reliability',
  '/docs/releases',
])

/** The guides in one text. The reference has an address for each of its pages. */
export function llmsFullText({ guides }: Book, publicUrl: string): string {
  const shown = guides.filter(({ path }) => !FOR_OPERATORS.has(path))
  const texts = shown.map((guide) => `${markdownOf(guide).trim()}\n\nSource: ${publicUrl}${guide.path}`)
  return `${[SUMMARY, ...texts].join('\n\n---\n\n')}\n`
}
