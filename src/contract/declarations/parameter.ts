import type { JsonSchema } from '../values/json.ts'
import type { FieldSpec } from './field.ts'

/**
 * What a query parameter takes: `one` value; any of `several` values; a `range`, which is values or bounds; `bounds` alone
 * (of moments, which nobody means to the second); or `entries`, which are keys with a value each.
 */
export type ParameterForm = 'one' | 'several' | 'range' | 'bounds' | 'entries'

/** One query parameter. A field alone takes one value; null is refused unless the field is nullable, and is then absence. */
export interface Parameter {
  readonly spec: FieldSpec
  readonly form?: ParameterForm
}

export type Parameters = Record<string, Parameter>

/** Values of one filter. */
export const MAX_VALUES = 20
/** Keys of `metadata` in one query. */
export const MAX_ENTRIES = 10

/** As the field, taking any of several values. */
export function several({ spec }: Parameter, description = spec.description): Parameter {
  return { spec: filterSpec(spec, description), form: 'several' }
}

/** As the field, taking bounds, and for numbers exact values too. */
export function range({ spec }: Parameter, description = spec.description): Parameter {
  return { spec: filterSpec(spec, description), form: isMoment(spec) ? 'bounds' : 'range' }
}

/** Keys with the value that each must have, within the limits of the field. */
export function entries({ spec }: Parameter, description: string): Parameter {
  return { spec: filterSpec(spec, description), form: 'entries' }
}

/** As the field, taking one value. */
export function one({ spec }: Parameter, description = spec.description): Parameter {
  return { spec: filterSpec(spec, description) }
}

/** Whether a field can be compared: a number, or a moment, whose stored texts compare as moments do. */
export function isComparable(spec: FieldSpec): boolean {
  return spec.type === 'integer' || spec.type === 'number' || isMoment(spec)
}

export function isMoment({ json }: FieldSpec): boolean {
  return json?.format === 'date-time'
}

/** Every filter is optional, whatever a create wants of the field. */
function filterSpec({ fallback: _, ...spec }: FieldSpec, description: string): FieldSpec {
  return { ...spec, description, required: false, nullable: false }
}

/** The bounds of a range, the inclusive ones first: they are what is meant by a misspelt one. */
export const BOUNDS = ['gte', 'gt', 'lte', 'lt'] as const
export type Bound = (typeof BOUNDS)[number]

/** A parsed range: any of these values, or everything within the bounds. */
export interface Range {
  anyOf?: (string | number)[]
  bounds: { bound: Bound; value: string | number }[]
}

/** The schema of a parameter as programs read it. What the bounds of a range are, `shortDescription` says once for a list. */
export function parameterSchema({ spec, form = 'one' }: Parameter, value: JsonSchema): JsonSchema {
  switch (form) {
    case 'one':
      return { ...value, ...(spec.fallback !== undefined && { default: spec.fallback }) }
    case 'several':
      return { type: 'array', items: value }
    case 'range':
      return { type: [spec.type, 'object'] }
    default:
      return { type: 'object' }
  }
}

/** Whether a parameter takes bounds. */
export function isRange(parameter: Parameter | undefined): boolean {
  return parameter?.form === 'range' || parameter?.form === 'bounds'
}

const RANGE = '{gt, gte, lt, lte}: gte and lte inclusive; rows with null never match; a date means 00:00 UTC'

/** The description of a parameter as programs read it; `created_at` speaks for all ranges of its list. */
export function shortDescription(name: string, query: Parameters): string {
  const { spec, form } = query[name]!
  if (form !== 'range' && form !== 'bounds') return spec.description
  const others = Object.keys(query).filter((other) => other !== name && isRange(query[other]))
  return others.length > 0 && name === 'created_at' ? `${RANGE}. Likewise ${others.join(', ')}` : RANGE
}
