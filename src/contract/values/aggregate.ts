export const FIGURES = ['count', 'sum', 'minimum', 'maximum'] as const

/** A figure over all rows of a list, such as `list("/orders").group_by("status").sum("amount")`. */
export type Aggregate = {
  figure: (typeof FIGURES)[number]
  /** The field that is summed or compared; null for a count. */
  field: string | null
  /** The fields by whose values the rows are grouped. Without any, all rows are one group. */
  by: string[]
}

/**
 * The values that all rows of a group have in the fields of `by`, and the group's figure. Sums are decimal text, because they can
 * exceed 2^53.
 */
export type Group = [by: (string | number | boolean | null)[], figure: string | number | null]

const MOST_FIELDS = 3
const LONGEST_NAME = 100

/** Returns undefined if the value is not an aggregate: it comes from a program, so it can be anything. */
export function readAggregate(value: unknown): Aggregate | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (!('figure' in value && 'field' in value && 'by' in value)) return undefined
  const { field, by } = value
  const figure = FIGURES.find((one) => one === value.figure)
  if (figure === undefined || !(field === null || isName(field)) || (field === null) !== (figure === 'count'))
    return undefined
  return Array.isArray(by) && by.length <= MOST_FIELDS && by.every(isName) ? { figure, field, by } : undefined
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_NAME
}
