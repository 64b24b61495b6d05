import { aOrAn, inWords } from '../../format/names.ts'
import type { Noun } from '../declarations/noun.ts'
import { type OperationDeclaration, USUAL_EVENTS } from '../declarations/operation.ts'
import type { FindNoun } from './schemas.ts'

export function describeOperation(operation: OperationDeclaration): string {
  const { description } = operation
  const emits = deliveredEvents(operation)
  return sentences(description, returns(operation), emits.length > 0 && `Emits ${emits.join(', ')}.`)
}

/** Like `describeOperation`, but without the event that the operation's name implies. */
export function summarizeOperation(operation: OperationDeclaration): string {
  const { kind, noun, description } = operation
  const others = deliveredEvents(operation).filter((type) => type !== `${noun.name}.${USUAL_EVENTS[kind]}`)
  return sentences(description, returns(operation), others.length > 0 && `Also emits ${others.join(', ')}.`)
}

/** Returns the events of an operation that webhook endpoints can receive. */
export function deliveredEvents({ noun, emits }: OperationDeclaration): readonly string[] {
  return noun.eventsStayInside ? emits.filter((type) => !type.startsWith(`${noun.name}.`)) : emits
}

function sentences(...parts: (string | false)[]): string {
  return parts.filter(Boolean).join(' ')
}

export function expandableNames(noun: Noun, findNoun: FindNoun): string[] {
  return Object.entries(noun.fields).flatMap(([name, { spec }]) => {
    if (spec.inside) return Object.keys(spec.inside).map((key) => `${name}.${key}`)
    if (!spec.relation) return []
    if (spec.relation.expandable) return [name]
    const inner = spec.relation.kind === 'collection' ? findNoun(spec.relation.noun) : undefined
    if (!inner) return []
    return expandableNames(inner, findNoun)
      .filter((one) => one !== noun.name)
      .map((one) => `${name}.${one}`)
  })
}

function returns({ kind, noun, answersList }: OperationDeclaration): string {
  if (kind === 'delete') return 'Returns {id, object, deleted: true}.'
  if (!answersList) return `Returns ${aOrAn(noun.name)}.`
  return `Returns a page of ${inWords(noun.plural)}${noun.listOrder && `, ${noun.listOrder}`}.`
}
