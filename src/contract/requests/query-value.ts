import { invalidParameter } from '../declarations/errors.ts'
import type { FieldSpec } from '../declarations/field.ts'
import { MAX_VALUES } from '../declarations/parameter.ts'
import { notListed } from '../declarations/problems.ts'
import { shown } from '../values/json.ts'

export function parseValue(name: string, { type, schema, json }: FieldSpec, given: unknown): unknown {
  if (given === null) throw invalidParameter(name, 'must not be null; omit it or give a value')
  const value = fromQuery(given, type)
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]!
  const options = 'values' in issue && Array.isArray(issue.values) ? issue.values.map(String) : null
  if (options) throw invalidParameter(name, notListed(value, options))
  const problem = issue.code === 'invalid_type' ? `must be ${typeInWords(type, json)}` : issue.message
  throw invalidParameter(name, /^must be /.test(problem) ? `${problem}, not ${shown(value)}` : problem)
}

/** Converts text to the field's type. Text that cannot be converted stays unchanged and then fails the field's checks. */
export function fromQuery(value: unknown, type: string): unknown {
  if (type === 'boolean')
    return value === 'true' || value === '1' ? true : value === 'false' || value === '0' ? false : value
  if (type === 'integer' && typeof value === 'string') return /^-?\d{1,15}$/.test(value) ? Number(value) : value
  if (type === 'number' && typeof value === 'string')
    return /^-?\d{1,15}(\.\d{1,10})?$/.test(value) ? Number(value) : value
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value)
  return value
}

function typeInWords(type: string, json: FieldSpec['json']): string {
  if (type === 'string') return 'text'
  if (type === 'boolean') return 'true or false'
  const { minimum, maximum } = json ?? {}
  const limits = minimum !== undefined && maximum !== undefined ? ` from ${minimum} to ${maximum}` : ''
  return `${type === 'integer' ? 'an integer' : `a ${type}`}${limits}`
}

export function parseSeveral(name: string, spec: FieldSpec, values: unknown[]): unknown[] {
  if (values.length === 0) throw invalidParameter(name, 'must have at least one value; omit it to see all')
  if (values.length > MAX_VALUES)
    throw invalidParameter(name, `takes at most ${MAX_VALUES} values, not ${values.length}`)
  return [...new Set(values.map((value) => parseValue(name, spec, value)))]
}
