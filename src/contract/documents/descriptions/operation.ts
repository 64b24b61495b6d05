import { listed } from '../../../format/lists.ts'
import { aOrAn, inWords } from '../../../format/names.ts'
import { withStop } from '../../../format/sentences.ts'
import { ERRORS, type ErrorCode } from '../../declarations/errors.ts'
import type { OperationDeclaration } from '../../declarations/operation.ts'
import { isRange, type Parameter, shortDescription } from '../../declarations/parameter.ts'
import { narrowRoles } from '../../declarations/role-rights.ts'
import { deliveredEvents, expandableNames } from '../describe.ts'
import { errorCodes, STATUSES_OF_ANY_REQUEST } from '../error-responses.ts'
import { type FindNoun, valueSchema } from '../schemas.ts'
import { fieldLine } from './field-line.ts'
import { isOfEveryList, parameterWord } from './signature.ts'
import { typeWord, valueWords } from './type-word.ts'

/** Describes an operation with its parameters, its answer, and the errors and events that it can cause. */
export function operationText(operation: OperationDeclaration, findNoun: FindNoun): string {
  const { method, path, summary, description } = operation
  const emits = deliveredEvents(operation)
  return [
    `## ${method} ${path}: ${[withStop(summary), description].filter(Boolean).join(' ')}`,
    ...queryLines(operation),
    ...bodyLines(operation),
    `Answers ${answer(operation, findNoun)}`,
    conditions(operation),
    refusals(operation) && `Refuses ${refusals(operation)}`,
    emits.length > 0 && `Emits ${emits.join(', ')}`,
  ]
    .filter(Boolean)
    .join('\n')
}

function queryLines({ query, answersList }: OperationDeclaration): string[] {
  const named = Object.entries(query).filter(([name]) => !(answersList && isOfEveryList(name, query)))
  const ranges = named.filter(([, parameter]) => isRange(parameter)).map(([name]) => name)
  const lines = named.filter(([name]) => !ranges.includes(name)).map(([name, one]) => parameterLine(name, one, query))
  if (answersList && isOfEveryList('limit', query)) ranges.push('created_at')
  return [...lines, ...(ranges.length > 0 ? [`ranges {gt, gte, lt, lte}: ${ranges.join(', ')}`] : [])]
}

function parameterLine(name: string, parameter: Parameter, query: OperationDeclaration['query']): string {
  const { spec } = parameter
  const schema = valueSchema(parameter)
  const said = shortDescription(name, query).replace(/; one or several(?: ids)?$/, '')
  const words = [parameterWord(name, parameter), filterType(name, parameter), valueWords(schema, said)]
  const fallback = spec.fallback === undefined ? '' : `=${JSON.stringify(spec.fallback)}`
  return `?${words.filter(Boolean).join(' ')}${fallback}: ${said}`
}

/** Returns the type of a filter without the mark for `expand`, because filters take ids. */
function filterType(name: string, { spec, form }: Parameter): string {
  if (form === 'entries') return ''
  return typeWord(name, spec.relation ? { ...spec, relation: { ...spec.relation, expandable: false } } : spec)
}

function bodyLines({ body, bodyMode }: OperationDeclaration): string[] {
  const creates = bodyMode === 'create'
  return Object.entries(body ?? {}).map(([name, field]) =>
    fieldLine(name, field, { written: true, marksRequired: creates, showsDefault: creates }),
  )
}

function answer({ kind, noun, answersList, expandable }: OperationDeclaration, findNoun: FindNoun): string {
  if (kind === 'delete') return '{id, object, deleted: true}'
  const names = expandable ? expandableNames(noun, findNoun) : []
  const expand = names.length > 0 ? `; expand ${names.join(', ')}` : ''
  if (!answersList) return `${aOrAn(noun.name)}${expand}`
  return `a page of ${inWords(noun.plural)}${noun.listOrder && `, ${noun.listOrder}`}${expand}`
}

function conditions({ needs, outside, spendsCredits, rate, callers }: OperationDeclaration): string {
  const narrow = narrowRoles(needs)
  return [
    narrow !== null && `needs the role ${listed(narrow, 'or')}`,
    outside && 'calls outside: in a program before the first write',
    spendsCredits && 'costs credits',
    rate === 'slow' && 'has a lower rate limit of its own',
    !callers.includes('token') && 'not for API tokens',
  ]
    .filter(Boolean)
    .join('; ')
}

function refusalCodes(operation: OperationDeclaration): ErrorCode[] {
  return errorCodes(operation).filter((code) => !CODES_OF_ANY_CALL.includes(code))
}

function refusals(operation: OperationDeclaration): string {
  const byStatus = Map.groupBy(refusalCodes(operation), (code) => ERRORS[code][0])
  return [...byStatus]
    .filter(([status]) => !STATUSES_OF_ANY_REQUEST.includes(status))
    .map(([status, codes]) => `${status} ${codes.join(', ')}`)
    .join('; ')
}

/** Codes that nearly any call can cause and the map explains, or that concern headers, which Ruby programs do not send. */
const CODES_OF_ANY_CALL: readonly string[] = [
  'parameter_missing',
  'permission_denied',
  'resource_missing',
  'validation_failed',
  'parameter_invalid',
  'parameter_unknown',
  'invalid_json',
  'idempotency_key_in_use',
  'idempotency_key_reused',
]
