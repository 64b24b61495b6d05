import { html, raw } from 'hono/html'
import { etagOf } from '../parts/asset.ts'
import type { Book } from './book.ts'
import { framed, navigation } from './frame.ts'
import { renderMarkdown } from './markdown.ts'
import { markdownOf, type PageSource, SECTIONS } from './page.ts'

const SUMMARY = `# Shopwright

> A commerce backend that agents program: a REST API, and an MCP endpoint with two tools that run Ruby programs. A program is one
> transaction: either all of it is saved, or nothing is.

Every page below is Markdown. Operations have the same paths, fields and results over REST and in programs.`

/** The guides for operators, and the recipes, which agents find with `describe`. The full text for agents omits these guides. */
const SEPARATE_GUIDES = new Set([
  '/docs/moving',
  '/docs/providers',
  '/docs/real-keys',
  '/docs/recipes',
  '/docs/reliability',
  '/docs/releases',
])

export interface RenderedText {
  type: 'text/html' | 'text/markdown' | 'text/plain'
  text: string
  etag: string
}

export function textOf(type: RenderedText['type'], text: string): RenderedText {
  return { type, text, etag: etagOf(text) }
}

/** Renders pages as HTML and Markdown on the first request, and caches them. */
export class RenderedPages {
  readonly #book: Book
  readonly #publicUrl: string
  readonly #kept = new Map<string, RenderedText>()

  constructor(book: Book, publicUrl: string) {
    this.#book = book
    this.#publicUrl = publicUrl
  }

  find(path: string, type: RenderedText['type']): RenderedText | null {
    const key = `${type} ${path}`
    const kept = this.#kept.get(key)
    if (kept) return kept
    const source = this.#book.find(path)
    if (!source) return null
    const made = textOf(type, type === 'text/markdown' ? markdownOf(source) : this.#htmlOf(source))
    this.#kept.set(key, made)
    return made
  }

  #htmlOf(source: PageSource): string {
    const { path, title, description, section } = source
    const body = renderMarkdown(source.body())
    const examples = source.examples ? renderMarkdown(source.examples(), 'example-') : null
    const heading = section === 'Errors' ? html`<h1><code>${title}</code></h1>` : html`<h1>${title}</h1>`
    const page = framed(
      {
        ...{ path, title, description, markdownPath: `${path}.md` },
        navigation: navigation(this.#book, path),
        content: html`${heading}${raw(body.html)}`,
        headings: body.headings,
        beside: examples && html`${raw(examples.html)}`,
      },
      this.#publicUrl,
    )
    return String(page)
  }
}

/** Returns the index of all pages for agents, in the format of llmstxt.org. */
export function llmsText({ pages }: Book, publicUrl: string): string {
  const sections = SECTIONS.map((section) => {
    const own = pages.filter((page) => page.section === section)
    const links = own.map(({ title, path, description }) => `- [${title}](${publicUrl}${path}.md): ${description}`)
    return `## ${section === 'Errors' ? 'Optional' : section}\n\n${links.join('\n')}`
  })
  return `${[SUMMARY, ...sections].join('\n\n')}\n`
}

/** Returns the guides as one text, without the recipes and the guides for operators. It does not include the reference pages. */
export function llmsFullText({ guides }: Book, publicUrl: string): string {
  const shown = guides.filter(({ path }) => !SEPARATE_GUIDES.has(path))
  const texts = shown.map((guide) => `${markdownOf(guide).trim()}\n\nSource: ${publicUrl}${guide.path}`)
  return `${[SUMMARY, ...texts].join('\n\n---\n\n')}\n`
}
