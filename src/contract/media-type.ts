import { ApiError } from './errors.ts'
import { BODY_BOUNDS, type JsonBounds } from './json-shape.ts'

/** Longer bodies are refused before they are read to the end, by every transport. */
export const BODY_LIMIT_BYTES = 1_000_000

/** The refusal of a body that is over one of its bounds. */
export function overBody(bound: keyof JsonBounds): ApiError {
  const { members, depth } = BODY_BOUNDS
  if (bound === 'depth') return new ApiError('invalid_json', `The request body is nested more than ${depth} deep.`)
  const most = members.toLocaleString('en')
  return new ApiError('request_too_large', `The request body has more than ${most} members in its arrays and objects.`)
}

/**
 * What keeps a body from being read, in a sentence, or null when nothing does: it is compressed, not in UTF-8, or not JSON
 * by its `Content-Type`. A body without a `Content-Type` is taken as JSON (RFC 9110, section 8.3).
 */
export function unreadable(contentType: string | null, contentEncoding: string | null): string | null {
  return compressed(contentEncoding) ?? notUtf8(contentType) ?? notJson(contentType)
}

/** As `unreadable`, whatever kind of text the body is. */
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
