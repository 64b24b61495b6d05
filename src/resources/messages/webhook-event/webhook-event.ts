import { z } from 'zod'
import { integer, oneOf, reference, structure, text, timestamp } from '../../../contract/declarations/kinds.ts'
import { noun, readOnly } from '../../../contract/declarations/noun.ts'

export const WebhookEvent = noun('webhook_event', {
  prefix: 'whev',
  group: 'WebhookEvents',
  area: 'developers',
  description: 'The delivery of an event to a webhook endpoint; kept for 30 days after it ends.',
  gist: 'delivery',
  // Plans and the log contain this event when a person resends a delivery; endpoints never receive it.
  events: ['updated'],
  eventsStayInside: true,
  hidden: {
    queue: text('due or waiting; null once no attempt is planned').nullable(),
    due_ms: integer('Milliseconds since 1970 of the next attempt'),
    finished_at: timestamp('When its last attempt was made').nullable(),
  },
  fields: readOnly({
    type: text('Event type', { example: 'customer.created' }),
    api_version: text('Version of the body', { example: 'v1' }),
    webhook_endpoint: reference('webhook_endpoint', 'Endpoint it is sent to', 'wh_…').expandable(),
    event_group: text('Event id; the same for deliveries of one event to several endpoints', {
      example: 'evt_01k9z6v8q2f3x7c5m1n4b0r8ta',
    }),
    status: oneOf(
      ['pending', 'delivered', 'failed', 'canceled'],
      'pending: another attempt will follow; delivered: acknowledged with a 2xx; failed: the last attempt failed; canceled: the endpoint was disabled or deleted first',
    ),
    attempts: integer('Number of attempts made', { min: 0, example: 1 }),
    response_status: integer('HTTP status of the last response', { unit: 'HTTP status', example: 200 }).nullable(
      'no response',
    ),
    response_body: text('First 2048 characters of the last response', { min: 0, max: 2048, example: 'ok' })
      .nullable('no response')
      .byStrangers(),
    error_message: text('Reason why the last attempt failed', { example: null }).nullable('it did not fail'),
    next_attempt_at: timestamp('When the next attempt is due').nullable('no more attempts'),
    delivered_at: timestamp('When the endpoint acknowledged it').nullable('not delivered'),
    payload: structure('object', z.record(z.string(), z.unknown()), 'The body, exactly as sent', {
      id: 'whev_01k9z6v8q2f3x7c5m1n4b0r8ta',
      object: 'webhook_event',
      type: 'customer.created',
      data: { id: 'cus_01k9z6v8q2f3x7c5m1n4b0r8ta', object: 'customer' },
    })
      .long()
      .byStrangers(),
  }),
  example: { status: 'delivered', delivered_at: '2026-01-15T10:30:00Z', next_attempt_at: null },
})
