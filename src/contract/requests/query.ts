import { ApiError, missingParameter } from '../declarations/errors.ts'
import { integer, text } from '../declarations/kinds.ts'
import { inputName } from '../declarations/noun.ts'
import type { OperationDeclaration } from '../declarations/operation.ts'
import type { Parameter, Parameters } from '../declarations/parameter.ts'
import { nearest } from '../values/nearest.ts'
import { type Given, readGiven } from './given.ts'
import { parseParameter } from './parameter-values.ts'

export const DEFAULT_LIMIT = 20
const MAX_LIMIT = 100

export const LIST_PARAMETERS = {
  limit: integer('Rows per page', { min: 1, max: MAX_LIMIT, example: DEFAULT_LIMIT }).nullable().default(DEFAULT_LIMIT),
  starting_after: text('Last id on the previous page', { max: 200, example: 'the last id' }).nullable(),
}

type QueriedOperation = Pick<OperationDeclaration, 'method' | 'path' | 'query' | 'body' | 'expandable' | 'noun'>

export interface ParsedQuery {
  values: Record<string, unknown>
  /** The value of `expand`, which is parsed later, when the nouns are known. */
  expand: Given | undefined
}

const MAX_SHOWN_NAME = 100

/** Parses the query of an operation. Throws `parameter_unknown`, `parameter_invalid` or `parameter_missing`. */
export function parseQuery(query: Record<string, unknown>, operation: QueriedOperation): ParsedQuery {
  const given = readGiven(query)
  const values: Record<string, unknown> = {}
  for (const [name, of] of given) {
    if (name === 'expand') continue
    if (!Object.hasOwn(operation.query, name)) throw unknownParameter(operation, name)
    const value = parseParameter(name, operation.query[name]!, of)
    if (value !== undefined) values[name] = value
  }
  for (const [name, { spec }] of requiredOrDefaulted(operation.query)) {
    if (values[name] !== undefined) continue
    if (spec.fallback === undefined) throw missingParameter(name)
    values[name] = spec.fallback
  }
  return { values, expand: given.get('expand') }
}

const wanted = new WeakMap<Parameters, [name: string, parameter: Parameter][]>()

/** Returns the parameters that matter even if absent: required ones and those with a default. */
function requiredOrDefaulted(query: Parameters): [name: string, parameter: Parameter][] {
  const known = wanted.get(query)
  if (known) return known
  const found = Object.entries(query).filter(([, { spec }]) => spec.required || spec.fallback !== undefined)
  wanted.set(query, found)
  return found
}

function unknownParameter(operation: QueriedOperation, name: string): ApiError {
  const shownName = name.slice(0, MAX_SHOWN_NAME)
  const details = { param: shownName }
  const call = `${operation.method} ${operation.path}`
  if (isBodyField(operation, name)) {
    return new ApiError('parameter_unknown', `${shownName} belongs in the body of ${call}, not in the query.`, details)
  }
  const message = `${call} has no query parameter ${shownName || '""'}. ${knownParameters(operation, shownName)}`
  return new ApiError('parameter_unknown', message, details)
}

function knownParameters(operation: QueriedOperation, name: string): string {
  const names = [...Object.keys(operation.query), ...(mayExpand(operation) ? ['expand'] : [])]
  const meant = nearest(name, names) ?? names.find((one) => name === `${one}_id`) ?? null
  if (meant !== null) return `Did you mean ${meant}?`
  return names.length === 0 ? 'It takes no query parameters.' : `It takes ${names.join(', ')}.`
}

function isBodyField({ body }: QueriedOperation, name: string): boolean {
  return Object.entries(body ?? {}).some(([field, declared]) => field === name || inputName(field, declared) === name)
}

function mayExpand({ expandable, noun }: QueriedOperation): boolean {
  const fields = Object.values(noun.fields)
  return (
    expandable &&
    fields.some(({ spec }) => spec.inside || spec.relation?.expandable || spec.relation?.kind === 'collection')
  )
}
