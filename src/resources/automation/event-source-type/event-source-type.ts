import { z } from 'zod'
import { structure, text } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'

const eventTypes = z.array(z.object({ name: z.string(), description: z.string() }))

export const EventSourceType = answerNoun('event_source_type', {
  group: 'EventSources',
  area: 'automation',
  description: 'A provider of event sources, with its events.',
  gist: '',
  listOrder: 'by provider',
  fields: {
    provider: text('Name to use in event sources', { example: 'webhook' }),
    name: text('Display name', { example: 'Webhook' }),
    description: text('Description of its events', { example: 'An event for each JSON body that is posted.' }),
    event_types: structure('array', eventTypes, 'Types of its events; each source uses one', [
      { name: 'received', description: 'A JSON body was posted.' },
    ]),
    config_schema: structure(
      'object',
      z.record(z.string(), z.unknown()),
      'JSON Schema of the configuration of its sources',
      { type: 'object', properties: {} },
    ),
  },
})
