import { invalidParameter } from '../declarations/errors.ts'
import type { FieldSpec } from '../declarations/field.ts'
import { BOUNDS, type Bound, isMoment, type Range } from '../declarations/parameter.ts'
import { shown } from '../values/json.ts'
import { didYouMean } from '../values/nearest.ts'
import { timestampOf, toTimestamp } from '../values/values.ts'
import { type Given, listed } from './given.ts'
import { fromQuery, parseSeveral } from './query-value.ts'

const DATE = /^\d{4}-\d{2}-\d{2}$/
/** An offset whose plus sign became a space because the client did not encode it. */
const DECODED_OFFSET = /(T\S+) (\d{2}:?\d{2})$/
const FRACTION = /[.,]\d*[1-9]/
/** The maximum length of a timestamp; with nine decimals and an offset it has 35 characters. */
const MAX_TIMESTAMP_LENGTH = 40

/** Parses `amount=5` or `amount[gte]=5&amount[lt]=9`. Throws `parameter_invalid` for contradictory bounds. */
export function parseRange(name: string, spec: FieldSpec, form: 'range' | 'bounds', given: Given): Range | undefined {
  const values = listed(given)
  if (values !== null && (given.values.length > 0 || given.keys.size > 0)) return exactly(name, spec, form, values)
  if (given.values.length > 0) throw invalidParameter(name, `takes either a value or bounds, not both`)
  const bounds = [...given.keys].map(([key, of]) => parseBound(name, key, spec, of))
  if (bounds.length === 0) return undefined
  refuseContradictions(name, bounds)
  return { bounds }
}

function exactly(name: string, spec: FieldSpec, form: 'range' | 'bounds', values: unknown[]): Range {
  if (form === 'bounds') {
    throw invalidParameter(name, `takes bounds, such as ${name}[gte]=2026-01-15 or ${name}[lt]=2026-02-01`)
  }
  return { anyOf: parseSeveral(name, spec, values) as number[], bounds: [] }
}

function parseBound(name: string, key: string, spec: FieldSpec, given: unknown[]): Range['bounds'][number] {
  const param = `${name}[${key.slice(0, 100)}]`
  const bound = BOUNDS.find((one) => one === key)
  if (!bound) throw invalidParameter(param, `is not a bound of ${name}${didYouMean(key, BOUNDS)}; use ${ALL_BOUNDS}`)
  if (given.length !== 1) throw invalidParameter(param, `takes one value, not ${given.length}`)
  return { bound, value: isMoment(spec) ? momentOf(param, bound, given[0]) : numberOf(param, spec.type, given[0]) }
}

const ALL_BOUNDS = 'gt, gte, lt or lte'

function numberOf(param: string, type: string, given: unknown): number {
  const value = fromQuery(given, type)
  const fits = type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value)
  if (fits && typeof value === 'number') return value
  throw invalidParameter(param, `must be ${type === 'integer' ? 'an integer' : 'a number'}, not ${shown(value)}`)
}

/**
 * Parses a timestamp, or a date as its start in UTC. Stored timestamps have whole seconds, so a bound with a fraction is moved to the
 * second that selects the same rows.
 */
function momentOf(param: string, bound: Bound, given: unknown): string {
  const text = typeof given === 'string' && given.length <= MAX_TIMESTAMP_LENGTH ? given.trim() : ''
  const written = DATE.test(text) ? `${text}T00:00:00Z` : text.replace(DECODED_OFFSET, '$1+$2')
  const second = toTimestamp(written)
  if (second === null) {
    const example = 'an ISO 8601 timestamp such as 2026-01-15T10:30:00Z or a date such as 2026-01-15'
    throw invalidParameter(param, `must be ${example}, not ${shown(given)}`)
  }
  const between = FRACTION.test(written) && (bound === 'gte' || bound === 'lt')
  return between ? secondAfter(second) : second
}

/** Returns the next second, or the same second if it is the last one that can be stored. */
function secondAfter(moment: string): string {
  const after = timestampOf(new Date(Date.parse(moment) + 1000))
  return after > moment ? after : moment
}

function refuseContradictions(name: string, bounds: Range['bounds']): void {
  const [lower, secondLower] = bounds.filter(({ bound }) => bound.startsWith('g'))
  const [upper, secondUpper] = bounds.filter(({ bound }) => bound.startsWith('l'))
  for (const [first, second] of [[lower, secondLower] as const, [upper, secondUpper] as const]) {
    if (first && second)
      throw invalidParameter(
        `${name}[${second.bound}]`,
        `cannot be combined with ${name}[${first.bound}]; use one of them`,
      )
  }
  if (lower && upper && lower.value > upper.value) {
    const limit = `${name}[${upper.bound}] (${upper.value})`
    throw invalidParameter(`${name}[${lower.bound}]`, `is ${lower.value}, which is above ${limit}`)
  }
}
