import { integer, longText, oneOf, text, texts, timestamp } from '../../../contract/declarations/kinds.ts'
import { noun, type Row } from '../../../contract/declarations/noun.ts'

const MAX_URL = 2048

export const WebhookEndpoint = noun('webhook_endpoint', {
  prefix: 'wh',
  group: 'WebhookEndpoints',
  area: 'developers',
  description: 'A URL of the merchant that receives events as signed POST requests.',
  gist: 'receives events',
  events: ['created', 'updated', 'deleted'],
  eventsStayInside: true,
  notInEvents: ['secret'],
  hidden: {
    sealed_secret: text('The signing secret, encrypted'),
    starts_after: text('Deliveries up to this id are canceled, whether that was written yet or not').default(''),
    subscription: text('Id of the subscription, if an MCP client made the endpoint').nullable(),
    subscriber_token: text('The token or connection of the client').nullable(),
    subscriber_user: text('The user of the token').nullable(),
    expires_at: timestamp('When the subscription ends').nullable(),
  },
  fields: {
    url: text('URL that receives events: https and public, without user name and password', {
      max: MAX_URL,
      example: 'https://shop.example/webhooks',
    }).required(),
    status: oneOf(
      ['active', 'disabled'],
      'disabled: receives nothing, and pending deliveries are canceled. Many failures over 5 days, or a 410 response, disable it',
    ).default('active'),
    enabled_events: texts('Event types to receive (GET /events lists them), or ["*"] for all, including future ones', {
      max: 200,
      each: 100,
      example: ['customer.created'],
    }).required(),
    format: oneOf(
      ['raw', 'slack', 'discord'],
      'raw: the event as JSON; slack, discord: a line of text for a channel',
    ).default('raw'),
    description: longText('Short description of the receiver', 500, 'Order archive').nullable('none'),
    api_version: text('Version of the event bodies', { example: 'v1' }).readOnly(),
    secret: text('Signing secret, starting with whsec_', { example: null })
      .nullable('shown only on creation')
      .derived(),
    last_delivery_at: timestamp('When it last acknowledged an event').nullable('never').derived(),
    failure_count: integer('Number of failed attempts since the last success', { min: 0, example: 0 }).derived(),
  },
})

export type WebhookEndpointRow = Row<typeof WebhookEndpoint>
