import type { Book } from './book.ts'
import { markdownOf, SECTIONS } from './page.ts'

const SUMMARY = `# Shopwright

> A commerce backend that agents program: a REST API, and an MCP endpoint with two tools that run Ruby programs. A program is one
> transaction: all of it happens, or nothing.

Every page is Markdown at the addresses below. Operations have the same path, fields and answers over REST and in programs.`

/** The index of all pages for agents, in the form of llmstxt.org. */
export function llmsText({ pages }: Book, publicUrl: string): string {
  const sections = SECTIONS.map((section) => {
    const own = pages.filter((page) => page.section === section)
    const links = own.map(({ title, path, description }) => `- [${title}](${publicUrl}${path}.md): ${description}`)
    return `## ${section === 'Errors' ? 'Optional' : section}\n\n${links.join('\n')}`
  })
  return `${[SUMMARY, ...sections].join('\n\n')}\n`
}

/** All guides in one text. The reference has an address for each of its pages. */
export function llmsFullText({ guides }: Book, publicUrl: string): string {
  const texts = guides.map((guide) => `${markdownOf(guide).trim()}\n\nSource: ${publicUrl}${guide.path}`)
  return `${[SUMMARY, ...texts].join('\n\n---\n\n')}\n`
}
