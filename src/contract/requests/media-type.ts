/** Returns the reason why a body cannot be read, or null. A body without a `Content-Type` counts as JSON (RFC 9110, section 8.3). */
export function unreadable(contentType: string | null, contentEncoding: string | null): string | null {
  return compressed(contentEncoding) ?? notUtf8(contentType) ?? notJson(contentType)
}

/** Like `unreadable`, but accepts text of any type. */
export function unreadableText(contentType: string | null, contentEncoding: string | null): string | null {
  return compressed(contentEncoding) ?? notUtf8(contentType)
}

function compressed(encoding: string | null): string | null {
  if (encoding === null || /^\s*(identity)?\s*$/i.test(encoding)) return null
  return `The request body is encoded with ${encoding}. Send it uncompressed, without Content-Encoding.`
}

function notUtf8(contentType: string | null): string | null {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1]
  if (charset === undefined || /^utf-?8$/i.test(charset)) return null
  return `The request body is in ${charset}. Send it in UTF-8.`
}

function notJson(contentType: string | null): string | null {
  const type = (contentType ?? '').replace(/;.*/s, '').trim()
  if (type === '' || /^application\/([\w.!#$&^+-]+\+)?json$/i.test(type)) return null
  return `The request body is ${type}. Send JSON with the header Content-Type: application/json (curl does so with --json).`
}
