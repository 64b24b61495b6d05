import sanitizeHtml from 'sanitize-html'

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: [...sanitizeHtml.defaults.allowedTags, 'img', 'figure', 'figcaption', 'h1', 'h2'],
  allowedAttributes: {
    ...sanitizeHtml.defaults.allowedAttributes,
    img: ['src', 'alt', 'width', 'height'],
    a: ['href', 'title'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
}

/** Rich text that cannot run anything in a reader's browser. */
export function safeHtml(html: string): string {
  return sanitizeHtml(html, OPTIONS)
}
