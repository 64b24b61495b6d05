import { createRequire } from 'node:module'
import type sanitizeHtml from 'sanitize-html'
import { z } from 'zod'
import { Field } from './field.ts'
import { longText } from './kinds.ts'

const require = createRequire(import.meta.url)
let clean: ((html: string) => string) | undefined

/** Rich text that cannot run anything in a reader's browser. Its length counts as given and as stored, which may be longer. */
export function richText(description: string, max: number, example: string): Field<string, false, 'stored'> {
  const { spec } = longText(description, max, example)
  const stored = z.string().max(max, `is too long with special characters written out (maximum is ${max} characters)`)
  return new Field({ ...spec, schema: spec.schema.transform((html) => safeHtml(String(html))).pipe(stored) })
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
