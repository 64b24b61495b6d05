import { ApiError, type FieldErrors, invalid, invalidParameter, missingParameter } from './errors.ts'
import type { Field, Fields } from './field.ts'
import { jsonTypeOf, shown } from './json.ts'
import { didYouMean } from './nearest.ts'
import { inputName } from './noun.ts'

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
  ignored: string[]
}

/**
 * Checks a body against its declaration (contract 1.3, 1.6). Throws `invalid_json` when it is no object,
 * `parameter_invalid` for a wrong JSON type, `validation_failed` over every invalid field together, and
 * `parameter_missing` for the first absent field when nothing present is wrong.
 */
export function parseBody(body: unknown, { fields, mode, wrapper }: BodyDeclaration): ParsedInput {
  const given = unwrap(body, wrapper)
  const values: Record<string, unknown> = {}
  const errors: FieldErrors = {}
  const missing: string[] = []
  const known = new Set<string>()
  for (const [name, field] of Object.entries(fields)) {
    const input = inputName(name, field)
    known.add(input).add(name)
    const value = Object.hasOwn(given, input) ? given[input] : Object.hasOwn(given, name) ? given[name] : undefined
    if (value === undefined || (value === null && mode === 'create' && !nullIsMeant(field))) {
      if (mode === 'create' && field.spec.required) missing.push(input)
      else if (mode === 'create' && field.spec.fallback !== undefined) values[name] = field.spec.fallback
    } else if (value === null) {
      if (field.spec.nullable) values[name] = null
      else errors[input] = ["can't be blank"]
    } else {
      const problems = check(input, field, value, (parsed) => (values[name] = parsed))
      if (problems) Object.assign(errors, problems)
    }
  }
  if (Object.keys(errors).length > 0)
    throw invalid({ ...errors, ...Object.fromEntries(missing.map((field) => [field, ["can't be blank"]])) })
  if (missing.length > 0) throw missingParameter(missing[0]!)
  return { values, ignored: Object.keys(given).filter((key) => !known.has(key)) }
}

/** An absent nullable field and an explicit null are the same on a create, unless a default would stand in. */
function nullIsMeant(field: Field): boolean {
  return field.spec.nullable && field.spec.fallback !== undefined
}

function unwrap(body: unknown, wrapper: string): Record<string, unknown> {
  if (body === undefined) return {}
  if (jsonTypeOf(body) !== 'object') {
    throw new ApiError('invalid_json', `The request body must be a JSON object, not ${article(jsonTypeOf(body))}.`)
  }
  const given = body as Record<string, unknown>
  const inner = given[wrapper]
  const wrapped = Object.keys(given).length === 1 && jsonTypeOf(inner) === 'object'
  return wrapped ? (inner as Record<string, unknown>) : given
}

/** Runs the field's own checks; hands over the normalised value, or returns messages by (dotted) field. */
function check(input: string, field: Field, value: unknown, accept: (parsed: unknown) => void): FieldErrors | null {
  const { type, schema, lenientType } = field.spec
  if (!isOfType(value, type)) {
    const problem = `must be ${article(type)}, not ${article(jsonTypeOf(value))} (${shown(value)})`
    if (lenientType) return { [input]: [problem] }
    throw invalidParameter(input, problem)
  }
  const result = schema.safeParse(value)
  if (result.success) {
    accept(result.data)
    return null
  }
  const errors: FieldErrors = {}
  for (const issue of result.error.issues) {
    const at = [input, ...issue.path.map(String)].join('.')
    const options = 'values' in issue && Array.isArray(issue.values) ? issue.values.map(String) : null
    const message = options && issue.code === 'invalid_value' ? notListed(value, options) : issue.message
    errors[at] ??= []
    if (!errors[at].includes(message)) errors[at].push(message)
  }
  return errors
}

/** The message for a value outside a closed list; also used for filters. */
export function notListed(value: unknown, options: string[]): string {
  const hint = typeof value === 'string' ? didYouMean(value, options) : ''
  return `must be one of ${options.join(', ')}${hint}`
}

/** An integer field takes any number here, so that 1.5 is a validation error and not a type error. */
function isOfType(value: unknown, type: string): boolean {
  const found = jsonTypeOf(value)
  if (type === 'integer' || type === 'number') return found === 'integer' || found === 'number'
  return found === type
}

function article(type: string): string {
  if (type === 'null') return 'null'
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}
