import { createHash } from 'node:crypto'
import { cut } from '../../contract/values/values.ts'
import { withMadeNames } from './made-ids.ts'

/** The length up to which a text is kept whole, and the length kept of a longer one. */
const MAX_WHOLE_LENGTH = 2_000
const HEAD_LENGTH = 500
/** Digits of a digest: enough to rule out collisions. */
const DIGEST_DIGITS = 32

/**
 * Replaces long texts in the values of a change by their beginnings and a digest to compare them by, because a program may make hundreds of
 * such changes. `names` replace the ids that the run created, which differ between runs.
 */
export function withoutLongTexts(
  values: Record<string, unknown>,
  names: ReadonlyMap<string, string>,
): Record<string, unknown> {
  if (!Object.values(values).some(isLong)) return values
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isLong(value) ? digested(value, names) : value]),
  )
}

function isLong(value: unknown): value is string {
  return typeof value === 'string' && value.length > MAX_WHOLE_LENGTH
}

function digested(text: string, names: ReadonlyMap<string, string>): string {
  const digest = createHash('sha256').update(withMadeNames(text, names)).digest('hex').slice(0, DIGEST_DIGITS)
  return `${cut(text, HEAD_LENGTH)}… (${text.length - HEAD_LENGTH} more characters, digest ${digest})`
}
