import { type RawBuilder, sql } from 'kysely'

/** Returns SQL for the index of the first end after a moment, or `ends.length` if none is. A binary search, because it runs for each row. */
export function stepOf(moment: RawBuilder<unknown>, ends: readonly string[]): RawBuilder<number> {
  const values = Array.from({ length: ends.length + 1 }, (_, step) => sql.lit(step))
  return valueAt(moment, ends, values) as RawBuilder<number>
}

/** Returns SQL for the value of the step that contains a moment. `values` has one entry more than `ends`. */
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
