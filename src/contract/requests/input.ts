import { ApiError, type FieldErrors, invalid, missingParameter, wrongTypes } from '../declarations/errors.ts'
import type { Field, Fields } from '../declarations/field.ts'
import { inputName } from '../declarations/noun.ts'
import { problemOf, unitReminder, wrongType } from '../declarations/problems.ts'
import { valueSchema } from '../documents/schemas.ts'
import { jsonTypeOf, withArticle } from '../values/json.ts'
import { didYouMean } from '../values/nearest.ts'
import { strangersInside } from './strangers.ts'

/** Names that no field has, of which so many are told. */
const TOLD_NAMES = 20
/** Of these, how many a refusal repeats, and how many of their characters. */
const [SHOWN_STRANGERS, SHOWN_LENGTH] = [5, 50]

/** What a body may hold: the declared fields, and how strictly absent ones are taken. */
export interface BodyDeclaration {
  fields: Fields
  /** `create` fills in defaults and wants required fields; `update` takes what is there. */
  mode: 'create' | 'update'
  /** The resource's name, which may wrap the whole body once. */
  wrapper: string
}

export interface ParsedInput {
  /** By the field's name in answers, whichever name the body used. */
  values: Record<string, unknown>
  /** Names in the body that no field has, and places of those inside a field, such as `line_items.0.qty`; the first ones. */
  ignored: string[]
}

/** What is wrong with a body. */
export interface Faults {
  errors: FieldErrors
  /** Fields among `errors` whose own value, not one inside it, has the wrong JSON type. */
  mistyped: Set<string>
  /** Required fields that are absent or null. */
  missing: string[]
}

/** What was found of a body so far. */
interface Findings extends Faults {
  values: Record<string, unknown>
  /** Places of names inside a field that it does not have. */
  strangers: string[]
}

/** A body that was read, whatever is wrong with it. */
export interface ReadBody extends ParsedInput {
  faults: Faults
  /** Throws what the body is refused with because of such faults, and nothing when there are none. */
  refuse(faults: Faults): void
}

/**
 * Checks a body against its declaration. Throws `invalid_json` when it is no object. When nothing but
 * JSON types of fields is wrong, throws `parameter_invalid` over all of these; when anything else is wrong too,
 * `validation_failed` over every invalid or missing field together; and when nothing present is wrong, `parameter_missing`
 * over the absent fields.
 */
export function parseBody(body: unknown, declaration: BodyDeclaration): ParsedInput {
  const { values, ignored, faults, refuse } = readBody(body, declaration)
  refuse(faults)
  return { values, ignored }
}

/** As `parseBody`, for callers that have more to check before they refuse it. Throws `invalid_json` alone. */
export function readBody(body: unknown, { fields, mode, wrapper }: BodyDeclaration): ReadBody {
  const given = unwrap(body, wrapper)
  const { found, known } = readFields(given, fields, mode)
  const { values, strangers, ...faults } = found
  const ignored = [...unknownNames(given, known), ...strangers].slice(0, TOLD_NAMES)
  return { values, ignored, faults, refuse: (all) => refuse(all, () => strangersInWords(ignored, fields)) }
}

/**
 * Checks an object inside a body that has fields of its own, as a create does. Gives its values, and messages by dotted field,
 * such as `config.url`, where some are wrong, missing or unknown. `place` is the object's own field.
 */
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
    if (mode === 'create' && (value === undefined || (value === null && !nullIsMeant(field)))) {
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
    .slice(0, TOLD_NAMES)
}

/** What the body has where a required field is missing: the caller's words for that field, as a rule. */
function strangersInWords(names: string[], fields: Fields): string {
  if (names.length === 0) return ''
  const shown = names.slice(0, SHOWN_STRANGERS).map((name) => name.slice(0, SHOWN_LENGTH))
  const taken = Object.entries(fields).map(([name, field]) => inputName(name, field))
  const all = `${taken.slice(0, TOLD_NAMES).join(', ')}${taken.length > TOLD_NAMES ? ', …' : ''}`
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

/** An absent nullable field and an explicit null are the same on a create, unless a default would stand in. */
function nullIsMeant(field: Field): boolean {
  return field.spec.nullable && field.spec.fallback !== undefined
}

function unwrap(body: unknown, wrapper: string): Record<string, unknown> {
  if (body === undefined) return {}
  if (jsonTypeOf(body) !== 'object') {
    throw new ApiError('invalid_json', `The request body must be a JSON object, not ${withArticle(jsonTypeOf(body))}.`)
  }
  const given = body as Record<string, unknown>
  const inner = given[wrapper]
  const wrapped = Object.keys(given).length === 1 && jsonTypeOf(inner) === 'object'
  return wrapped ? (inner as Record<string, unknown>) : given
}

/** Runs the field's own checks and notes the normalised value, or messages by (dotted) field. */
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
    if (type === 'array' || type === 'object') strangers.push(...strangersInside(value, result.data, input, TOLD_NAMES))
    return
  }
  for (const { code, path, message } of result.error.issues) {
    // A key that is wrong is a fault of the object that has it.
    const place = code === 'invalid_key' ? path.slice(0, -1) : path
    const at = [input, ...place.map(String)].join('.')
    errors[at] = [...new Set([...(errors[at] ?? []), message])]
  }
}

/** Counted before the members are looked at: there may be thousands, each with faults of its own. */
function tooManyMembers(field: Field, value: unknown): string | null {
  if (typeof value !== 'object') return null
  const { maxItems = Infinity, maxProperties = Infinity } = valueSchema(field)
  if (Array.isArray(value))
    return value.length > Number(maxItems) ? `has too many entries (maximum is ${maxItems})` : null
  return Object.keys(value!).length > Number(maxProperties) ? `has more than ${maxProperties} keys` : null
}

/** An integer field takes any number here, so that 1.5 is a validation error and not a type error. */
function isOfType(value: unknown, type: string): boolean {
  const found = jsonTypeOf(value)
  if (type === 'integer' || type === 'number') return found === 'integer' || found === 'number'
  return found === type
}
