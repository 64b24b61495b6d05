import { createRequire } from 'node:module'
import type sanitizeHtml from 'sanitize-html'
import { z } from 'zod'
import { Field } from './field.ts'
import { longText } from './kinds.ts'

const require = createRequire(import.meta.url)
let clean: ((html: string) => string) | undefined

/** Cleaning takes a microsecond or two a tag, and far longer where thousands are nested, so they are counted first. */
const MAX_TAGS = 5_000

/** Rich text that cannot run anything in a reader's browser. Its length counts as given and as stored, which may be longer. */
export function richText(description: string, max: number, example: string): Field<string, false, 'stored'> {
  const { spec } = longText(description, max, example)
  const given = spec.schema.refine(hasFewTags, {
    error: `has too many tags (maximum is ${MAX_TAGS}; each < counts)`,
    abort: true,
  })
  const stored = z.string().max(max, `is too long with special characters written out (maximum is ${max} characters)`)
  return new Field({ ...spec, schema: given.transform((html) => safeHtml(String(html))).pipe(stored) })
}

function hasFewTags(html: unknown): boolean {
  let found = 0
  for (let at = String(html).indexOf('<'); at >= 0; at = String(html).indexOf('<', at + 1)) found += 1
  return found <= MAX_TAGS
}

/** The library is large, and most requests carry no rich text: it is loaded with the first. */
function safeHtml(html: string): string {
  clean ??= cleaner(require('sanitize-html'))
  return clean(html)
}

function cleaner(sanitize: typeof sanitizeHtml): (html: string) => string {
  const { allowedTags, allowedAttributes } = sanitize.defaults
  const options: sanitizeHtml.IOptions = {
    allowedTags: [...allowedTags, 'img', 'figure', 'figcaption', 'h1', 'h2'],
    allowedAttributes: { ...allowedAttributes, img: ['src', 'alt', 'width', 'height'], a: ['href', 'title'] },
    allowedSchemes: ['http', 'https', 'mailto'],
  }
  return (html) => sanitize(html, options)
}
