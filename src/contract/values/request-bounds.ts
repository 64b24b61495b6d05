import { formatNumber } from '../../format/numbers.ts'
import type { JsonBounds } from './json-shape.ts'

/** Every transport stops reading a body at this size and rejects it. */
export const BODY_LIMIT_BYTES = 1_000_000

/** No declared body is nested more than 5 levels or has more than a few hundred members. */
export const BODY_BOUNDS: JsonBounds = { members: 10_000, depth: 50 }

/** The maximum number of characters of a path with its query; Node.js limits HTTP requests to this, headers included. */
export const MAX_ADDRESS = 16_384

/** The limit that a request exceeds: one of its body, or the length of its URL. */
export type RequestBound = keyof JsonBounds | 'address'

/** Returns why a request over a limit is rejected, as a sentence. */
export function whyTooLarge(bound: RequestBound): string {
  if (bound === 'depth') return `The request body is nested more than ${BODY_BOUNDS.depth} levels deep.`
  if (bound === 'address') return `The path with its query is longer than ${formatNumber(MAX_ADDRESS)} characters.`
  return `The request body has more than ${formatNumber(BODY_BOUNDS.members)} members in its arrays and objects.`
}
