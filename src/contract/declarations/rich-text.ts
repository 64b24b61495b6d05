import { createRequire } from 'node:module'
import type sanitizeHtml from 'sanitize-html'
import { z } from 'zod'
import { isLongerThan } from '../values/text-length.ts'
import { Field } from './field.ts'
import { longText } from './kinds.ts'

const require = createRequire(import.meta.url)
type Sanitizer = (html: string) => string
type RichTextField = Field<string, false, 'stored', null, 'always'>

/** The maximum number of tags. Sanitising takes about 2 µs per tag, but far longer if thousands of tags are nested. */
const MAX_TAGS = 3_000
const MAX_NESTING = 100

/** Declares HTML that is sanitised for web pages. `max` applies before and after sanitising, because it can lengthen the text. */
export function richText(description: string, max: number, example: string): RichTextField {
  const { spec } = sanitizedField(description, max, example, onceLoaded(pageCleaner))
  return new Field({ ...spec, rich: true })
}

/** Declares the HTML of an e-mail: a whole document with inline styles or `<style>`, but without scripts, forms and frames. */
export function mailHtml(description: string, max: number, example: string): RichTextField {
  return sanitizedField(description, max, example, onceLoaded(mailCleaner))
}

/** Sanitises HTML that was stored without `richText`, for display on a page. */
export const safeHtml: Sanitizer = onceLoaded(pageCleaner)

function sanitizedField(description: string, max: number, example: string, clean: Sanitizer): RichTextField {
  const { spec } = longText(description, max, example)
  const given = spec.schema.superRefine((html, context) => {
    const message = tagsProblem(String(html))
    if (message !== null) context.addIssue({ code: 'custom', message, continue: false })
  })
  const stored = z
    .string()
    .refine(
      (html) => !isLongerThan(html, max),
      `is too long with special characters written out (maximum is ${max} characters)`,
    )
  return new Field({ ...spec, schema: given.transform((html) => clean(String(html))).pipe(stored) })
}

const TAG = /<(\/?)([a-z][a-z0-9]*)?/gi
/** Tags that do not count as nested: void elements, and paragraphs, whose end tags are often omitted. */
const UNNESTED_TAGS = new Set([
  'area',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'p',
  'source',
  'wbr',
])

/** Returns the problem with the number or nesting of tags, or null. Estimates the nesting in one pass without parsing the HTML. */
function tagsProblem(html: string): string | null {
  const open = new Map<string, number>()
  let [tags, depth] = [0, 0]
  for (const [, slash, written] of html.matchAll(TAG)) {
    const name = written?.toLowerCase()
    tags += 1
    if (tags > MAX_TAGS) return `has too many tags (maximum is ${MAX_TAGS}; each < counts)`
    if (name === undefined || UNNESTED_TAGS.has(name)) continue
    const count = open.get(name) ?? 0
    const change = slash === '' ? 1 : count > 0 ? -1 : 0
    open.set(name, count + change)
    depth += change
    if (depth > MAX_NESTING) return `nests tags too deeply (maximum is ${MAX_NESTING}; close each tag)`
  }
  return null
}

/** Loads the library on first use, because it is large and most requests contain no rich text. */
function onceLoaded(cleanerOf: (sanitize: typeof sanitizeHtml) => Sanitizer): Sanitizer {
  let clean: Sanitizer | undefined
  return (html) => {
    clean ??= cleanerOf(require('sanitize-html'))
    return clean(html)
  }
}

function pageCleaner(sanitize: typeof sanitizeHtml): Sanitizer {
  const { allowedTags, allowedAttributes } = sanitize.defaults
  const options: sanitizeHtml.IOptions = {
    allowedTags: [...allowedTags, 'img', 'figure', 'figcaption', 'h1', 'h2'],
    allowedAttributes: { ...allowedAttributes, img: ['src', 'alt', 'width', 'height'], a: ['href', 'title'] },
    allowedSchemes: ['http', 'https', 'mailto'],
  }
  return (html) => sanitize(html, options)
}

const DOCUMENT_TAGS = ['html', 'head', 'title', 'style', 'body', 'center', 'font']
const STYLE_ATTRIBUTES = [
  'style',
  'class',
  'id',
  'align',
  'valign',
  'width',
  'height',
  'bgcolor',
  'color',
  'border',
  'lang',
  'dir',
]
const TABLE_ATTRIBUTES = ['cellpadding', 'cellspacing', 'colspan', 'rowspan', 'role', 'aria-hidden']

function mailCleaner(sanitize: typeof sanitizeHtml): Sanitizer {
  const { allowedTags } = sanitize.defaults
  const options: sanitizeHtml.IOptions = {
    allowedTags: [...allowedTags, ...DOCUMENT_TAGS, 'img', 'figure', 'figcaption', 'h1', 'h2'],
    allowedAttributes: {
      '*': [...STYLE_ATTRIBUTES, ...TABLE_ATTRIBUTES],
      a: ['href', 'title', 'target'],
      img: ['src', 'alt'],
      font: ['face', 'size'],
      style: ['media', 'type'],
    },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    // Mail clients run no code in styles; the library's warning concerns web pages.
    allowVulnerableTags: true,
    parseStyleAttributes: false,
  }
  return (html) => sanitize(html, options)
}
