import { ApiError } from '../contract/declarations/errors.ts'
import type { HeaderOf } from '../contract/requests/header-of.ts'
import { unreadable } from '../contract/requests/media-type.ts'
import { parseJson } from '../pipeline/body-reader.ts'

/** Returns undefined if the body is empty. Throws `unsupported_media_type`, `invalid_json` or `request_too_large`. */
export function parseBody(bytes: Uint8Array, header: HeaderOf): unknown {
  if (bytes.length === 0) return undefined
  const problem = unreadable(header('content-type'), header('content-encoding'))
  if (problem !== null) throw new ApiError('unsupported_media_type', problem)
  return parseJson(bytes)
}
