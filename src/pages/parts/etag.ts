import { createHash } from 'node:crypto'

/** The entity tag of a text: as long as it is the same, so is the text. */
export function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url')}"`
}

/** Whether an `If-None-Match` names the tag (RFC 9110, section 13.1.2): `*`, or a list of tags, marked as weak or not. */
export function namesTag(list: string | null | undefined, etag: string): boolean {
  return list?.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, ''))) ?? false
}
