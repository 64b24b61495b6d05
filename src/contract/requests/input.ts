import { ApiError, type FieldErrors, invalid, missingParameter, wrongTypes } from '../declarations/errors.ts'
import type { Field, Fields } from '../declarations/field.ts'
import { inputName } from '../declarations/noun.ts'
import { problemOf, unitReminder, wrongType } from '../declarations/problems.ts'
import { valueSchema } from '../documents/schemas.ts'
import { isPlainObject, jsonTypeOf, withArticle } from '../values/json.ts'
import { didYouMean } from '../values/nearest.ts'

const MAX_UNKNOWN_NAMES = 20
/** The maximum number of unknown names in an error message, and the maximum length of each. */
const [MAX_SHOWN_NAMES, MAX_SHOWN_LENGTH] = [5, 50]

export interface BodyDeclaration {
  fields: Fields
  /** `create` applies defaults and checks required fields; `update` reads only the present fields. */
  mode: 'create' | 'update'
  /** The resource's name. A body may wrap all fields in a single key with this name. */
  wrapper: string
}

export interface ParsedInput {
  /** The values by the fields' names in responses, even if the body used the names of request bodies. */
  values: Record<string, unknown>
  /** The first unknown names, at the top level or inside a field, such as `line_items.0.qty`. */
  ignored: string[]
}

export interface Faults {
  errors: FieldErrors
  /** Fields in `errors` whose own value, not a nested one, has the wrong JSON type. */
  mistyped: Set<string>
  missing: string[]
}

interface Findings extends Faults {
  values: Record<string, unknown>
  strangers: string[]
}

export interface ReadBody extends ParsedInput {
  faults: Faults
  refuse(faults: Faults): void
}

/**
 * Checks a body against its declaration. Throws `invalid_json` if the body is not an object, `parameter_invalid` if wrong JSON types are
 * the only errors, `parameter_missing` if fields are only missing, and otherwise `validation_failed` about every field.
 */
export function parseBody(body: unknown, declaration: BodyDeclaration): ParsedInput {
  const { values, ignored, faults, refuse } = readBody(body, declaration)
  refuse(faults)
  return { values, ignored }
}

/** Like `parseBody`, but throws only `invalid_json`, for callers that run further checks before they reject the body. */
export function readBody(body: unknown, { fields, mode, wrapper }: BodyDeclaration): ReadBody {
  const given = unwrap(body, wrapper)
  const { found, known } = readFields(given, fields, mode)
  const { values, strangers, ...faults } = found
  const ignored = [...unknownNames(given, known), ...strangers].slice(0, MAX_UNKNOWN_NAMES)
  return { values, ignored, faults, refuse: (all) => refuse(all, () => unknownNamesInWords(ignored, fields)) }
}

/** Checks an object at the path `place` inside a body, like the body of a create. Returns errors by path, such as `config.url`. */
export function parseObject(
  given: Record<string, unknown>,
  fields: Fields,
  place: string,
): { values: Record<string, unknown>; errors: FieldErrors } {
  const { found, known } = readFields(given, fields, 'create')
  const faults = [
    ...Object.entries(found.errors),
    ...found.missing.map((name) => [name, ["can't be blank"]] as const),
    ...unknownNames(given, known).map((name) => [name, [unknownField(name, Object.keys(fields))]] as const),
  ]
  const errors = faults.map(([name, messages]) => [`${place}.${name}`, messages])
  return { values: found.values, errors: Object.fromEntries(errors) }
}

function unknownField(name: string, names: string[]): string {
  return `is not a field${didYouMean(name, names)}; known: ${names.join(', ')}`
}

function readFields(given: Record<string, unknown>, fields: Fields, mode: BodyDeclaration['mode']) {
  const found: Findings = { values: {}, errors: {}, mistyped: new Set(), missing: [], strangers: [] }
  const known = new Set<string>()
  for (const [name, field] of Object.entries(fields)) {
    const input = inputName(name, field)
    known.add(input).add(name)
    const value = Object.hasOwn(given, input) ? given[input] : Object.hasOwn(given, name) ? given[name] : undefined
    if (mode === 'create' && (value === undefined || (value === null && !isNullMeaningful(field)))) {
      if (field.spec.required) found.missing.push(input)
      else if (field.spec.fallback !== undefined) found.values[name] = field.spec.fallback
    } else if (value === null) {
      if (field.spec.nullable) found.values[name] = null
      else found.errors[input] = ["can't be blank"]
    } else if (value !== undefined) check(found, name, field, value)
  }
  return { found, known }
}

function unknownNames(given: Record<string, unknown>, known: ReadonlySet<string>): string[] {
  return Object.keys(given)
    .filter((name) => !known.has(name))
    .slice(0, MAX_UNKNOWN_NAMES)
}

/** Lists the unknown names for the message about a missing required field, because one of them was usually meant for that field. */
function unknownNamesInWords(names: string[], fields: Fields): string {
  if (names.length === 0) return ''
  const shown = names.slice(0, MAX_SHOWN_NAMES).map((name) => name.slice(0, MAX_SHOWN_LENGTH))
  const taken = Object.entries(fields).map(([name, field]) => inputName(name, field))
  const all = `${taken.slice(0, MAX_UNKNOWN_NAMES).join(', ')}${taken.length > MAX_UNKNOWN_NAMES ? ', …' : ''}`
  return `Unknown here: ${shown.join(', ')}. The body takes ${all}.`
}

function refuse({ errors, mistyped, missing }: Faults, strangers: () => string): void {
  const wrong = Object.keys(errors)
  if (wrong.length === 0) {
    const [first, ...more] = missing
    if (first !== undefined) throw missingParameter(first, more, strangers())
    return
  }
  if (missing.length === 0 && wrong.every((field) => mistyped.has(field))) throw wrongTypes(errors)
  throw invalid({ ...errors, ...Object.fromEntries(missing.map((field) => [field, ["can't be blank"]])) })
}

/** Whether null in a create differs from an absent field, which is true only if the field has a default. */
function isNullMeaningful(field: Field): boolean {
  return field.spec.nullable && field.spec.fallback !== undefined
}

function unwrap(body: unknown, wrapper: string): Record<string, unknown> {
  if (body === undefined) return {}
  if (!isPlainObject(body)) {
    throw new ApiError('invalid_json', `The request body must be a JSON object, not ${withArticle(jsonTypeOf(body))}.`)
  }
  const inner = body[wrapper]
  return Object.keys(body).length === 1 && isPlainObject(inner) ? inner : body
}

function check({ values, errors, mistyped, strangers }: Findings, name: string, field: Field, value: unknown): void {
  const { type, schema, lenientType, unit } = field.spec
  const input = inputName(name, field)
  if (!isOfType(value, type)) {
    errors[input] = [wrongType(value, type) + unitReminder(unit)]
    if (!lenientType) mistyped.add(input)
    return
  }
  const tooMany = tooManyMembers(field, value)
  if (tooMany !== null) {
    errors[input] = [tooMany]
    return
  }
  const result = schema.safeParse(value, { error: problemOf })
  if (result.success) {
    values[name] = result.data
    if (type === 'array' || type === 'object')
      strangers.push(...strangersInside(value, result.data, input, MAX_UNKNOWN_NAMES))
    return
  }
  for (const { code, path, message } of result.error.issues) {
    // An invalid key is reported at the object that contains it.
    const place = code === 'invalid_key' ? path.slice(0, -1) : path
    const at = [input, ...place.map(String)].join('.')
    errors[at] = [...new Set([...(errors[at] ?? []), message])]
  }
}

/** Counts members before their validation, because thousands of them could each have errors. */
function tooManyMembers(field: Field, value: unknown): string | null {
  if (typeof value !== 'object') return null
  const { maxItems = Infinity, maxProperties = Infinity } = valueSchema(field)
  if (Array.isArray(value))
    return value.length > Number(maxItems) ? `has too many entries (maximum is ${maxItems})` : null
  return Object.keys(value!).length > Number(maxProperties) ? `has more than ${maxProperties} keys` : null
}

/** Any number counts as an integer, so that 1.5 is a validation error and not a type error. */
function isOfType(value: unknown, type: string): boolean {
  const found = jsonTypeOf(value)
  if (type === 'integer' || type === 'number') return found === 'integer' || found === 'number'
  return found === type
}

/** Returns up to `most` paths, such as `overrides.x.comment`, of names in `given` that the field's checks removed from `kept`. */
function strangersInside(given: unknown, kept: unknown, place: string, most: number): string[] {
  const found: string[] = []
  const waiting: [given: unknown, kept: unknown, place: string][] = [[given, kept, place]]
  // The list grows during the iteration. Shifting its head instead would move up to hundreds of thousands of entries each time.
  for (const [from, to, at] of waiting) {
    if (found.length >= most) break
    if (from === to) continue
    if (Array.isArray(from) && Array.isArray(to))
      for (const [index, entry] of from.entries()) waiting.push([entry, to[index], `${at}.${index}`])
    else if (isPlainObject(from) && isPlainObject(to))
      for (const [name, value] of Object.entries(from))
        if (Object.hasOwn(to, name)) waiting.push([value, to[name], `${at}.${name}`])
        else found.push(`${at}.${name}`)
  }
  return found.slice(0, most)
}
