import { aOrAn } from '../../../format/names.ts'
import { sentenceCase, withStop } from '../../../format/sentences.ts'
import type { Field } from '../../declarations/field.ts'
import { inputName } from '../../declarations/noun.ts'
import { type OperationDeclaration, USUAL_EVENTS } from '../../declarations/operation.ts'
import { isRange, type Parameter } from '../../declarations/parameter.ts'
import { deliveredEvents } from '../describe.ts'
import { valueSchema } from '../schemas.ts'
import { IN_SHORT, type TextPart } from './answer.ts'
import { fieldWord } from './field-line.ts'
import { typeWord, valueWords } from './type-word.ts'

const LIST_PARAMETER_NAMES = ['limit', 'starting_after', 'created_at']

/** Describes an operation in one line, to be listed below the fields of its resource: `POST /refunds {…}: Refund an order …`. */
export function signature(operation: OperationDeclaration): string {
  const said = sentences(operation)
  return `${callWords(operation, { beneathFields: true })}${said && `: ${said}`}`
}

/** Returns the method, path and parameter names. In creates and updates, `…` stands for the fields of the resource. */
export function callWords(operation: OperationDeclaration, { beneathFields = false } = {}): string {
  const { method, path, kind, body } = operation
  const takes = body !== null && Object.keys(body).length > 0
  const isSaid = kind === 'update' || (beneathFields && kind === 'create')
  const named = takes && `{${isSaid ? ['…', ...otherFields(operation)].join(', ') : bodyWords(operation)}}`
  const taken = [queryWords(operation), named]
  return [`${method} ${path}`, ...taken].filter(Boolean).join(' ')
}

/** Describes an operation in a paragraph: its parameters with the types of the body's fields, and what it does. */
export function callPart(operation: OperationDeclaration): TextPart {
  const { method, path, kind, noun, answersList, body, bodyMode, summary, description } = operation
  const creates = bodyMode === 'create'
  const fields = Object.entries(body ?? {}).map(([name, field]) =>
    fieldWord(name, field, { written: true, marksRequired: creates, showsDefault: creates }),
  )
  const call = [`## ${method} ${path}`, queryWords(operation), fields.length > 0 && `{${fields.join(', ')}}`]
  const answers = answersList
    ? noun.listOrder && `${sentenceCase(noun.listOrder)}.`
    : ['action', 'custom'].includes(kind) && `Answers ${aOrAn(noun.name)}.`
  const text = `${call.filter(Boolean).join(' ')}: ${[withStop(summary), description, answers].filter(Boolean).join(' ')}`
  return { key: `${method} ${path}${IN_SHORT}`, text, needsKey: true }
}

function sentences(operation: OperationDeclaration): string {
  const { summary, description } = operation
  const emits = otherEvents(operation)
  const also = emits.length > 0 ? `Also emits ${emits.join(', ')}.` : ''
  return [isSummaryImplied(operation) ? '' : withStop(summary), description, also].filter(Boolean).join(' ')
}

/** Whether the summary only repeats the method, such as "List orders". */
function isSummaryImplied({ kind, summary }: OperationDeclaration): boolean {
  return ['list', 'retrieve', 'update', 'delete', 'create'].includes(kind) && summary.split(' ').length <= 5
}

function otherEvents(operation: OperationDeclaration): string[] {
  const { kind, noun } = operation
  const own = kind === 'action' ? null : `${noun.eventsNamed}.${USUAL_EVENTS[kind]}`
  return deliveredEvents(operation).filter((type) => type !== own)
}

function queryWords({ query, answersList }: OperationDeclaration): string {
  const own = Object.entries(query).filter(([name]) => !(answersList && isOfEveryList(name, query)))
  const ranges = own.filter(([, parameter]) => isRange(parameter)).map(([name]) => name)
  const filters = own.filter(([, one]) => !isRange(one)).map(([name, parameter]) => parameterWord(name, parameter))
  if (answersList && isOfEveryList('created_at', query)) ranges.push('created_at')
  const words = [...filters, ...(ranges.length > 0 ? [`ranges ${ranges.join(' ')}`] : [])]
  return words.length > 0 ? `?${words.join(', ')}` : ''
}

/** Whether the map of all resources explains the parameter, because the list has all of the common parameters. */
export function isOfEveryList(name: string, query: OperationDeclaration['query']): boolean {
  return LIST_PARAMETER_NAMES.includes(name) && LIST_PARAMETER_NAMES.every((one) => Object.hasOwn(query, one))
}

/** Returns the name with its form, and with a star if it is required: `status[]`, `product`, `metadata{}`. */
export function parameterWord(name: string, { form = 'one', spec }: Parameter): string {
  const suffix = form === 'several' ? '[]' : form === 'entries' ? '{}' : ''
  return `${name}${suffix}${spec.required ? '*' : ''}`
}

function bodyWords(operation: OperationDeclaration): string {
  return Object.entries(operation.body ?? {})
    .map(([name, field]) => bodyWord(operation, name, field))
    .join(', ')
}

function otherFields(operation: OperationDeclaration): string[] {
  const given = Object.entries(operation.body ?? {})
  return given.filter(([name]) => !isWritten(operation, name)).map(([name, field]) => bodyWord(operation, name, field))
}

function isWritten({ noun }: OperationDeclaration, name: string): boolean {
  return (noun.fields[name]?.spec.write ?? 'never') !== 'never'
}

function bodyWord(operation: OperationDeclaration, name: string, field: Field): string {
  const type = isWritten(operation, name)
    ? ''
    : [typeWord(name, field.spec), valueWords(valueSchema(field), field.spec.description)].filter(Boolean).join(' ')
  const mark = operation.bodyMode === 'create' && field.spec.required ? '*' : ''
  return [`${inputName(name, field)}${mark}`, type].filter(Boolean).join(' ')
}
