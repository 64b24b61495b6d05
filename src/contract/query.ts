import { invalidParameter } from './errors.ts'
import type { Field, Fields } from './field.ts'
import { shown } from './json.ts'
import { integer, text } from './kinds.ts'
import { notListed } from './problems.ts'

/** Page sizes of every list (contract 1.4). */
export const DEFAULT_LIMIT = 20
export const MAX_LIMIT = 100

export const LIST_PARAMETERS = {
  limit: integer('Rows in a page, 1 to 100', { min: 1, max: MAX_LIMIT, example: DEFAULT_LIMIT }).default(DEFAULT_LIMIT),
  starting_after: text('Last id of the previous page', { max: 200, example: 'the last id' }),
}

/** Reads declared query parameters; strings become what the declaration says. Throws `parameter_invalid`. */
export function parseQuery(
  query: Record<string, unknown>,
  declared: Fields,
): { values: Record<string, unknown>; ignored: string[] } {
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(declared)) {
    const value = query[name] ?? undefined
    if (value !== undefined) values[name] = parseParameter(name, field, value)
    else if (field.spec.fallback !== undefined) values[name] = field.spec.fallback
  }
  return {
    values,
    ignored: Object.keys(query).filter(
      (name) => !Object.hasOwn(declared, name) && name !== 'expand' && name !== 'expand[]',
    ),
  }
}

function parseParameter(name: string, field: Field, value: unknown): unknown {
  const { type, schema } = field.spec
  const result = schema.safeParse(fromString(value, type))
  if (result.success) return result.data
  const issue = result.error.issues[0]!
  const options = 'values' in issue && Array.isArray(issue.values) ? issue.values.map(String) : null
  if (options) throw invalidParameter(name, notListed(value, options))
  const range = type === 'integer' ? ` (${wanted(field)})` : ''
  const problem =
    issue.code === 'invalid_type' ? `must be ${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}${range}` : issue.message
  throw invalidParameter(name, `${problem}, not ${shown(value)}`)
}

function wanted(field: Field): string {
  const json = field.spec.description.match(/\d+ to \d+/)
  return json ? json[0] : 'a whole number'
}

function fromString(value: unknown, type: string): unknown {
  if (Array.isArray(value)) return fromString(value.at(-1), type)
  if (type === 'boolean')
    return value === 'true' || value === '1' ? true : value === 'false' || value === '0' ? false : value
  if (type === 'integer' && typeof value === 'string') return /^-?\d{1,15}$/.test(value) ? Number(value) : value
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value)
  return value
}
