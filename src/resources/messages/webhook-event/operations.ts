import { invalidParameter } from '../../../contract/declarations/errors.ts'
import { didYouMean } from '../../../contract/values/nearest.ts'
import { equals, filterSeveral } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { resendDelivery } from './resend.ts'
import { WebhookEvent } from './webhook-event.ts'

const { list, retrieve, action } = verbs(WebhookEvent)

export const webhookEvents = resource(WebhookEvent, {
  operations: [
    list({
      summary: 'List deliveries, newest first',
      filters: {
        type: filterSeveral(WebhookEvent.fields.type, 'Event type; one or several', (query, names, { eventTypes }) => {
          const unknown = names.find((name) => !eventTypes.find(name))
          if (unknown !== undefined)
            throw invalidParameter('type', `is not an event type${didYouMean(unknown, eventTypes.names)}`)
          return query.where('type', 'in', names)
        }),
        status: equals(WebhookEvent, 'status', 'Only deliveries of this status'),
        webhook_endpoint: equals(WebhookEvent, 'webhook_endpoint', 'Only deliveries to the endpoint with this id'),
      },
    }),
    retrieve({ summary: 'Show one delivery with its payload' }),
  ],
  dashboard: [
    action('resend', {
      summary: 'Send a delivery again, at once',
      rubyHelper: 'resend',
      emits: ['webhook_event.updated'],
      rule: resendDelivery,
    }),
  ],
})
