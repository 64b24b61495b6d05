import { createHash } from 'node:crypto'
import { cut } from '../../contract/values/values.ts'
import { withMadeNames } from './made-ids.ts'

/** The length up to which a text is kept whole, and the length kept of a longer one. */
const WHOLE = 2_000
const HEAD = 500
/** Digits of a digest: enough to rule out collisions. */
const DIGEST = 32

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
  return typeof value === 'string' && value.length > WHOLE
}

function digested(text: string, names: ReadonlyMap<string, string>): string {
  const digest = createHash('sha256').update(withMadeNames(text, names)).digest('hex').slice(0, DIGEST)
  return `${cut(text, HEAD)}… (${text.length - HEAD} more characters, digest ${digest})`
}
