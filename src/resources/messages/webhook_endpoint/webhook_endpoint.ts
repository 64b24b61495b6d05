import { integer, longText, oneOf, text, texts, timestamp } from '../../../contract/kinds.ts'
import { noun } from '../../../contract/noun.ts'

/** The most characters in the address of an endpoint. */
const MAX_URL = 2048

export const WebhookEndpoint = noun('webhook_endpoint', {
  prefix: 'wh',
  group: 'WebhookEndpoints',
  description: 'An address of the merchant that hears of events: each is sent to it as a signed POST request.',
  events: ['created', 'updated', 'deleted'],
  eventsStayInside: true,
  notInEvents: ['secret'],
  hidden: {
    sealed_secret: text('The signing secret, encrypted'),
    starts_after: text('Deliveries up to this id are canceled, whether that was written yet or not').default(''),
  },
  fields: {
    url: text('Address that events are sent to: https and public, without user name and password', {
      max: MAX_URL,
      example: 'https://shop.example/webhooks',
    }).required(),
    status: oneOf(
      ['active', 'disabled'],
      'disabled: hears of nothing, and pending deliveries are canceled. Many failures over 5 days disable it, and so does the answer 410',
    ).default('active'),
    enabled_events: texts('Event types that it hears of (GET /events lists them), or ["*"] for all, future ones too', {
      max: 200,
      each: 100,
      example: ['customer.created'],
    }).required(),
    format: oneOf(
      ['raw', 'slack', 'discord'],
      'raw: the event as JSON; slack, discord: one line of words for a channel there',
    ).default('raw'),
    description: longText('A few words about the receiver', 500, 'Order archive').nullable('none'),
    api_version: text('Version of the bodies that it receives', { example: 'v1' }).readOnly(),
    secret: text('Secret that signs what it receives, beginning with whsec_', { example: null })
      .nullable('shown by the create alone')
      .derived(),
    last_delivery_at: timestamp('When it last acknowledged an event').nullable('never').derived(),
    failure_count: integer('Number of failed attempts since the last success', { min: 0, example: 0 }).derived(),
  },
})
