import { createHash } from 'node:crypto'
import { cut } from '../../contract/values/values.ts'
import { withMadeNames } from './made-ids.ts'

/** Characters of a text that are kept whole, and of a longer one. */
const WHOLE = 2_000
const HEAD = 500
/** Digits of a digest: so many that nobody finds two texts with the same. */
const DIGEST = 32

/**
 * The values of a change without its long texts, which a program may have made hundreds of: in their place stand their
 * beginnings with a digest, by which they can be compared. `names` stand for the ids that the run itself has made, since
 * another run makes others.
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
