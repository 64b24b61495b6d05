import { text } from '../../../contract/declarations/kinds.ts'
import { outside } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { sendTest } from './send.ts'
import { WebhookTest } from './webhook-test.ts'

/** Older clients may send this field as a query parameter. */
const eventType = text('Event type of the sample. Default: the first of enabled_events', {
  max: 100,
  example: 'customer.created',
})

export const webhookTests = resource(WebhookTest, {
  operations: [
    outside({
      id: 'test_webhook_endpoint',
      method: 'POST',
      path: '/webhook_endpoints/{id}/test',
      summary: 'Send a test event to an endpoint',
      description:
        'Sends one signed event with a sample resource and `"test": true`, immediately and without retries; it is not stored. If the endpoint does not acknowledge it, 502; if it is disabled, 400.',
      answers: WebhookTest,
      query: { event_type: eventType },
      body: { event_type: eventType },
      example: { event_type: 'customer.created' },
      rule: sendTest,
    }),
  ],
})
