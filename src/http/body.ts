import { ApiError } from '../contract/errors.ts'
import { unreadable } from '../contract/media-type.ts'
import { type BodyReader, type HeaderOf, parseJson } from '../pipeline/body-reader.ts'

/** What comes after, as `JSON.stringify`, is recursive; no declared body is deeper than 5. */
const MAX_DEPTH = 50

/** A request with a body, and whose it is. */
export interface BodyRequest {
  request: Request
  /** A header by its lower-case name. */
  header: HeaderOf
  accountId: string
}

/**
 * The JSON value of a request's body, or undefined when there is none. Throws `unsupported_media_type`, `invalid_json` and what
 * the reader throws.
 */
export async function readBody(reader: BodyReader, { request, header, accountId }: BodyRequest): Promise<unknown> {
  const bytes = await reader.read(request, header, accountId)
  if (bytes.length === 0) return undefined
  const problem = unreadable(header('content-type'), header('content-encoding'))
  if (problem !== null) throw new ApiError('unsupported_media_type', problem)
  const body = parseJson(bytes)
  if (isNestedDeeper(body, MAX_DEPTH))
    throw new ApiError('invalid_json', `The request body is nested more than ${MAX_DEPTH} deep.`)
  return body
}

function isNestedDeeper(value: unknown, depth: number): boolean {
  if (value === null || typeof value !== 'object') return false
  return depth === 0 || Object.values(value).some((inner) => isNestedDeeper(inner, depth - 1))
}
