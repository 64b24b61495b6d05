import type { JsonSchema } from '../values/json.ts'
import type { FieldSpec } from './field.ts'

/** The form of a query parameter. `bounds` is a range without exact values, for timestamps; `entries` are pairs of key and value. */
type ParameterForm = 'one' | 'several' | 'range' | 'bounds' | 'entries'

/** A query parameter. Null counts as absent if the field is nullable and is invalid otherwise. */
export interface Parameter {
  readonly spec: FieldSpec
  readonly form?: ParameterForm
}

export type Parameters = Record<string, Parameter>

export const MAX_VALUES = 20
export const MAX_ENTRIES = 10

export function several({ spec }: Parameter, description = spec.description): Parameter {
  return { spec: filterSpec(spec, description), form: 'several' }
}

/** Makes a filter that takes bounds and, for numbers, exact values. */
export function range({ spec }: Parameter, description = spec.description): Parameter {
  return { spec: filterSpec(spec, description), form: isMoment(spec) ? 'bounds' : 'range' }
}

export function entries({ spec }: Parameter, description: string): Parameter {
  return { spec: filterSpec(spec, description), form: 'entries' }
}

export function one({ spec }: Parameter, description = spec.description): Parameter {
  return { spec: filterSpec(spec, description) }
}

/** Whether values can be compared with bounds. Stored timestamps are text that sorts chronologically. */
export function isComparable(spec: FieldSpec): boolean {
  return spec.type === 'integer' || spec.type === 'number' || isMoment(spec)
}

export function isMoment({ json }: FieldSpec): boolean {
  return json?.format === 'date-time'
}

/** Returns the spec of a filter by the field: always optional, not nullable, and without a default. */
function filterSpec({ fallback: _, ...spec }: FieldSpec, description: string): FieldSpec {
  return { ...spec, description, required: false, nullable: false }
}

/** The bounds of a range. Inclusive bounds come first, because a misspelt bound is compared with them in this order. */
export const BOUNDS = ['gte', 'gt', 'lte', 'lt'] as const
export type Bound = (typeof BOUNDS)[number]

export interface Range {
  anyOf?: (string | number)[]
  bounds: { bound: Bound; value: string | number }[]
}

/** Returns the schema for Ruby programs. It omits the bounds of ranges, because `shortDescription` explains them once for each list. */
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

export function isRange(parameter: Parameter | undefined): boolean {
  return parameter?.form === 'range' || parameter?.form === 'bounds'
}

const RANGE = '{gt, gte, lt, lte}: gte and lte inclusive; rows with null never match; a date means 00:00 UTC'

/** Returns the description for Ruby programs; the description of `created_at` explains all ranges of its list. */
export function shortDescription(name: string, query: Parameters): string {
  const { spec, form } = query[name]!
  if (form !== 'range' && form !== 'bounds') return spec.description
  const others = Object.keys(query).filter((other) => other !== name && isRange(query[other]))
  return others.length > 0 && name === 'created_at' ? `${RANGE}. Likewise ${others.join(', ')}` : RANGE
}
