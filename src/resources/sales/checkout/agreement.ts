import { createHash } from 'node:crypto'

/**
 * A short name of all that a buyer is about to agree to. The page sends it back with the payment; an order that differs in
 * anything that was shown is not charged before the buyer has seen it as it is now.
 */
export function agreementOf(agreed: object): string {
  return createHash('sha256').update(JSON.stringify(agreed, inOneOrder)).digest('base64url')
}

/** A line that was stored may have its keys in another order than one that was just made. */
function inOneOrder(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
