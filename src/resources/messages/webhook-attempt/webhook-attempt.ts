import { z } from 'zod'
import { integer, reference, structure, text } from '../../../contract/declarations/kinds.ts'
import { noun, readOnly } from '../../../contract/declarations/noun.ts'

export const WebhookAttempt = noun('webhook_attempt', {
  prefix: 'whatt',
  group: 'WebhookEvents',
  area: 'developers',
  description: 'One attempt to deliver an event to a webhook endpoint; created_at is when it was sent.',
  immutable: true,
  listOrder: 'newest first',
  fields: readOnly({
    webhook_event: reference('webhook_event', 'Delivery that it was for', 'whev_…'),
    number: integer('Its place among the attempts of the delivery', { min: 1, example: 1 }),
    response_status: integer('HTTP status of the response', { unit: 'HTTP status', example: 200 }).nullable(
      'no response',
    ),
    error_message: text('Why it failed', { example: null }).nullable('it did not fail'),
    duration_ms: integer('Time to the complete response', {
      min: 0,
      unit: 'milliseconds',
      example: 48,
    }),
    response_body: text('First 500 characters of the answer', { min: 0, max: 500, example: 'ok' }).nullable(
      'no response',
    ),
    request_headers: structure(
      'object',
      z.record(z.string(), z.string()),
      'The headers that it was sent with, without the signatures',
      { 'webhook-id': 'whev_01k9z6v8q2f3x7c5m1n4b0r8ta' },
    ).derived(),
  }),
})
