import { flag, integer, text } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'

export const WebhookTest = answerNoun('webhook_test', {
  group: 'WebhookEndpoints',
  area: 'developers',
  description: 'The result of a test event.',
  gist: '',
  fields: {
    delivered: flag('Whether the endpoint acknowledged it with a 2xx', true),
    message: text('Result in one sentence', { example: 'The endpoint answered 200.' }),
    event_type: text('Event type of the sample', { example: 'customer.created' }),
    response_status: integer('HTTP status of the response', { unit: 'HTTP status', example: 200 }).nullable(
      'no response',
    ),
    duration_ms: integer('Time to the complete response', { min: 0, unit: 'milliseconds', example: 48 }),
  },
})
