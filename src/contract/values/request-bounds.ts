import { formatNumber } from '../../words/numbers.ts'
import type { JsonBounds } from './json-shape.ts'

/** Longer bodies are refused before they are read to the end, by every transport. */
export const BODY_LIMIT_BYTES = 1_000_000

/** No declared body is deeper than 5, nor has more than a few hundred members. */
export const BODY_BOUNDS: JsonBounds = { members: 10_000, depth: 50 }

/** Characters of an address with its query: Node.js takes no more of a request over HTTP, headers included. */
export const MAX_ADDRESS = 16_384

/** What a request is over: a bound of its body, or the length of its address. */
export type RequestBound = keyof JsonBounds | 'address'

/** Why a request that is over a bound is refused, in a sentence. */
export function whyTooLarge(bound: RequestBound): string {
  if (bound === 'depth') return `The request body is nested more than ${BODY_BOUNDS.depth} levels deep.`
  if (bound === 'address') return `The path with its query is longer than ${formatNumber(MAX_ADDRESS)} characters.`
  return `The request body has more than ${formatNumber(BODY_BOUNDS.members)} members in its arrays and objects.`
}
