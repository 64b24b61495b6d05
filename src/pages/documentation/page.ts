/** A page of the documentation before rendering. Its content is Markdown. */
export interface PageSource {
  path: string
  title: string
  /** A plain sentence for search engines, `llms.txt` and search results. */
  description: string
  section: Section
  /** Additional search words that the page's text does not contain. */
  keywords?: string
  body(): string
  /** Returns examples, which wide screens show next to the body. */
  examples?(): string
}

export const SECTIONS = ['Guides', 'Operations', 'Resources', 'Errors'] as const
export type Section = (typeof SECTIONS)[number]

export function markdownOf({ title, body, examples }: PageSource): string {
  const parts = [`# ${title}`, body().trim(), ...(examples ? [examples().trim()] : [])]
  return `${parts.join('\n\n')}\n`
}

/** Returns the first paragraph of a Markdown text as plain text. */
export function firstWords(markdown: string): string {
  const paragraph = markdown.split(/\n\s*\n/).find((part) => /^[A-Z`*[]/i.test(part.trim())) ?? ''
  return plainWords(paragraph)
}

export function plainWords(markdown: string): string {
  return markdown
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/`|\*\*/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

export function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code.trimEnd()}\n\`\`\``
}
