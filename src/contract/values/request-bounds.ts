import { formatNumber } from '../../format/numbers.ts'
import type { JsonBounds } from './json-shape.ts'

/** Every transport stops reading a request body at this size and rejects the request. */
export const BODY_LIMIT_BYTES = 1_000_000

/** The maximum members and nesting depth of a JSON body. Valid bodies have a few hundred members and 5 levels at most. */
export const BODY_BOUNDS: JsonBounds = { members: 10_000, depth: 50 }

/** The maximum length of a path with its query. Node.js limits an HTTP request with its headers to the same size. */
export const MAX_ADDRESS = 16_384

export type RequestBound = keyof JsonBounds | 'address'

export function whyTooLarge(bound: RequestBound): string {
  if (bound === 'depth') return `The request body is nested more than ${BODY_BOUNDS.depth} levels deep.`
  if (bound === 'address') return `The path with its query is longer than ${formatNumber(MAX_ADDRESS)} characters.`
  return `The request body has more than ${formatNumber(BODY_BOUNDS.members)} members in its arrays and objects.`
}
