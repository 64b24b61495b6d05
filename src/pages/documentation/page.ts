/** A page of the documentation before rendering. Its content is Markdown, which is also rendered as HTML. */
export interface PageSource {
  /** The path of the page, such as `/docs/programs`. */
  path: string
  title: string
  /** A plain sentence that describes the page, for search engines, `llms.txt` and search results. */
  description: string
  section: Section
  /** Additional search words that the page's text does not contain. */
  keywords?: string
  /** Returns the content below the title. */
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

/** Removes Markdown syntax from a line. */
export function plainWords(markdown: string): string {
  return markdown
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/`|\*\*/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Returns a Markdown code block. `language` may include a label for readers at the end. */
export function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code.trimEnd()}\n\`\`\``
}
