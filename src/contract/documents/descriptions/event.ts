import { eventType, type Noun } from '../../declarations/noun.ts'
import type { OperationDeclaration } from '../../declarations/operation.ts'
import { deliveredEvents } from '../describe.ts'
import { eventDescription } from '../event-types.ts'

export function eventText(noun: Noun, event: string, operations: readonly OperationDeclaration[]): string {
  const type = eventType(noun, event)
  const emitting = operations.filter((operation) => deliveredEvents(operation).includes(type))
  const by = emitting.map(({ method, path }) => `${method} ${path}`)
  return [
    `## ${type}: ${eventDescription(noun, event)}`,
    `data: ${dataOf(noun, event)}`,
    `Emitted by ${[...by, 'what happens later or outside'].join(', ')}`,
  ].join('\n')
}

function dataOf(noun: Noun, event: string): string {
  if (event.endsWith('deleted')) return '{id, object, deleted: true}'
  const expanded =
    noun.eventExpand.length > 0 ? `; ${noun.eventExpand.join(', ')} expanded for webhooks, not for tasks` : ''
  const without = noun.notInEvents.length > 0 ? `, without ${noun.notInEvents.join(', ')}` : ''
  return `what GET answers for the ${noun.name}${expanded}${without}`
}
