import { ApiError } from '../contract/errors.ts'
import { unreadable } from '../contract/media-type.ts'
import { type BodyReader, type HeaderOf, parseJson } from '../pipeline/body-reader.ts'

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
  return parseJson(bytes)
}
