import { ApiError, invalidParameter } from '../declarations/errors.ts'
import type { FieldSpec } from '../declarations/field.ts'
import { MAX_ENTRIES, type Parameter } from '../declarations/parameter.ts'
import { shown } from '../values/json.ts'
import { type Given, listed } from './given.ts'
import { fromQuery, parseSeveral, parseValue } from './query-value.ts'
import { parseRange } from './range.ts'

/** Returns one value, a list, a `Range` or a hash; undefined if absent. Throws `parameter_invalid` with the exact name and its brackets. */
export function parseParameter(name: string, parameter: Parameter, given: Given): unknown {
  const { spec, form = 'one' } = parameter
  if (form === 'entries') return parseEntries(name, spec, given)
  if (form === 'range' || form === 'bounds') return parseRange(name, spec, form, given)
  const values = listed(given)
  if (values === null) throw invalidParameter(`${name}[${firstKey(given)}]`, hintFor(name, form))
  return form === 'several' ? parseAnyOf(name, spec, values) : parseOne(name, spec, values)
}

/** Parses several values. Comma-separated text counts as one value, so if it is invalid, the error explains the notation. */
function parseAnyOf(name: string, spec: FieldSpec, values: unknown[]): unknown[] {
  try {
    return parseSeveral(name, spec, values)
  } catch (error) {
    const joined = values.some((value) => typeof value === 'string' && value.includes(','))
    if (!(error instanceof ApiError) || !joined) throw error
    const several = `several values are written ${name}[]=a&${name}[]=b, or as an array in programs`
    throw new ApiError(error.code, `${error.message}; ${several}`, error.details)
  }
}

function parseOne(name: string, spec: FieldSpec, values: unknown[]): unknown {
  const present = spec.nullable ? values.filter((value) => value !== null) : values
  if (present.length === 0 && spec.nullable) return undefined
  if (present.length !== 1) throw invalidParameter(name, `takes one value, not ${present.length}`)
  return parseValue(name, spec, present[0])
}

function parseEntries(name: string, spec: FieldSpec, { values, keys }: Given): Record<string, string> | undefined {
  if (values.length > 0) throw invalidParameter(name, `needs a key: ${name}[key]=value`)
  if (keys.size > MAX_ENTRIES) throw invalidParameter(name, `takes at most ${MAX_ENTRIES} keys, not ${keys.size}`)
  if (keys.size === 0) return undefined
  return Object.fromEntries([...keys].map(([key, given]) => [key, parseEntry(name, key, spec, given)]))
}

function parseEntry(name: string, key: string, spec: FieldSpec, given: unknown[]): string {
  const param = `${name}[${key.slice(0, 100)}]`
  if (key.includes('][')) throw invalidParameter(param, `is nested too deeply; write ${name}[key]=value`)
  if (given.length !== 1) throw invalidParameter(param, `takes one value, not ${given.length}`)
  const value = fromQuery(given[0], 'string')
  if (typeof value !== 'string') throw invalidParameter(param, `must be text, not ${shown(value)}`)
  const result = spec.schema.safeParse({ [key]: value })
  if (result.success) return value
  const [issue] = result.error.issues
  throw invalidParameter(param, issue!.code === 'invalid_key' ? issue!.issues[0]!.message : issue!.message)
}

function firstKey({ keys }: Given): string {
  return [...keys.keys()].find((key) => !/^\d{1,4}$/.test(key))!.slice(0, 100)
}

function hintFor(name: string, form: 'one' | 'several'): string {
  return form === 'one'
    ? `is not allowed; ${name} takes one value: ${name}=…`
    : `is not allowed; ${name} takes values: ${name}=… or ${name}[]=…, and no bounds`
}
