import { z } from 'zod'
import { structure, text } from '../../../contract/kinds.ts'
import { answerNoun } from '../../../contract/noun.ts'

const eventTypes = z.array(z.object({ name: z.string(), description: z.string() }))

export const EventSourceType = answerNoun('event_source_type', {
  group: 'EventSources',
  description: 'A provider that event sources can be connected to, with the events that it has.',
  listOrder: 'by provider',
  fields: {
    provider: text('Provider, as an event source names it', { example: 'webhook' }),
    name: text('Name for people', { example: 'Webhook' }),
    description: text('Sentences about its events', { example: 'An event for each JSON body that is posted.' }),
    event_types: structure('array', eventTypes, 'Types of its events; a source passes on one of them', [
      { name: 'received', description: 'A JSON body was posted.' },
    ]),
    config_schema: structure(
      'object',
      z.record(z.string(), z.unknown()),
      'JSON Schema of the configuration that a source of it is created with',
      { type: 'object', properties: {} },
    ),
  },
})
