import { createHash } from 'node:crypto'
import { cut } from '../../contract/values/values.ts'
import { withMadeNames } from './made-ids.ts'

/** A text up to this length is stored whole; a longer one is cut to `HEAD_LENGTH`. */
const MAX_WHOLE_LENGTH = 2_000
const HEAD_LENGTH = 500
/** Enough hexadecimal digits to rule out collisions. */
const DIGEST_DIGITS = 32

/**
 * Replaces each long text in a change's values by its beginning and a digest, so that texts can still be compared. A program may make
 * hundreds of such changes. `names` replace the ids that the run created, because they differ between runs.
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
