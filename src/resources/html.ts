import sanitizeHtml from 'sanitize-html'
import { z } from 'zod'
import { Field } from '../contract/field.ts'
import { longText } from '../contract/kinds.ts'

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: [...sanitizeHtml.defaults.allowedTags, 'img', 'figure', 'figcaption', 'h1', 'h2'],
  allowedAttributes: {
    ...sanitizeHtml.defaults.allowedAttributes,
    img: ['src', 'alt', 'width', 'height'],
    a: ['href', 'title'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
}

/** Rich text that cannot run anything in a reader's browser. Its length counts as given and as stored, which may be longer. */
export function richText(description: string, max: number, example: string): Field<string, false, 'stored'> {
  const { spec } = longText(description, max, example)
  const stored = z.string().max(max, `is too long with special characters written out (maximum is ${max} characters)`)
  return new Field({ ...spec, schema: spec.schema.transform((html) => safeHtml(String(html))).pipe(stored) })
}

function safeHtml(html: string): string {
  return sanitizeHtml(html, OPTIONS)
}
