import { type RawBuilder, sql } from 'kysely'

/**
 * The step that a moment falls into: 0 before the first of these moments, 1 before the second, and their number where there is
 * no such moment, or a later one. Halved again and again, since this is asked of each row.
 */
export function stepOf(moment: RawBuilder<unknown>, ends: readonly string[]): RawBuilder<number> {
  const values = Array.from({ length: ends.length + 1 }, (_, step) => sql.lit(step))
  return valueAt(moment, ends, values) as RawBuilder<number>
}

/** The value of the step that a moment falls into; there is one more of them than there are ends. */
export function valueAt(
  moment: RawBuilder<unknown>,
  ends: readonly string[],
  values: readonly RawBuilder<unknown>[],
): RawBuilder<unknown> {
  if (ends.length === 0) return values[0]!
  const middle = ends.length >> 1
  const earlier = valueAt(moment, ends.slice(0, middle), values.slice(0, middle + 1))
  const later = valueAt(moment, ends.slice(middle + 1), values.slice(middle + 1))
  return sql`case when ${moment} < ${ends[middle]} then ${earlier} else ${later} end`
}
