/** One page of the documentation, as it is before it is rendered. Everything is Markdown; HTML is made of it. */
export interface PageSource {
  /** Such as `/docs/programs`. */
  path: string
  title: string
  /** One sentence without markup, for search engines, `llms.txt` and the results of the search. */
  description: string
  section: Section
  /** Words that readers search for and that the page puts otherwise. */
  keywords?: string
  /** What follows the title. */
  body(): string
  /** Examples that wide screens show beside the body. */
  examples?(): string
}

export const SECTIONS = ['Guides', 'Operations', 'Resources', 'Errors'] as const
export type Section = (typeof SECTIONS)[number]

export function markdownOf({ title, body, examples }: PageSource): string {
  const parts = [`# ${title}`, body().trim(), ...(examples ? [examples().trim()] : [])]
  return `${parts.join('\n\n')}\n`
}

/** The first paragraph of a text in Markdown, as plain words. */
export function firstWords(markdown: string): string {
  const paragraph = markdown.split(/\n\s*\n/).find((part) => /^[A-Z`*[]/i.test(part.trim())) ?? ''
  return plainWords(paragraph)
}

/** Markdown of a line without its marks. */
export function plainWords(markdown: string): string {
  return markdown
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/`|\*\*/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** A block of code in Markdown. `label` is what the reader sees as its language or place. */
export function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code.trimEnd()}\n\`\`\``
}
