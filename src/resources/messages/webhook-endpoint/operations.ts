import { cancelDeliveries } from '../../../events/cancel.ts'
import type { Context } from '../../../records/context.ts'
import { equals } from '../../../records/filters.ts'
import { type Derived, resource } from '../../../records/resource.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { verbs } from '../../../records/verbs.ts'
import { WebhookEndpoint, type WebhookEndpointRow } from './webhook-endpoint.ts'
import { checkAddress, checkForm, createEndpoint, deleteEndpoint, settleEvents, updateEndpoint } from './write.ts'

const { list, create, retrieve, update, remove } = verbs(WebhookEndpoint)

export const webhookEndpoints = resource(WebhookEndpoint, {
  derive: deriveDeliveries,
  jobs: [cancelDeliveries],
  operations: [
    list({
      summary: 'List webhook endpoints',
      filters: { status: equals(WebhookEndpoint, 'status', 'Only endpoints of this status') },
    }),
    create({
      inTurn: true,
      summary: 'Register a webhook endpoint',
      description:
        'Store the secret: it signs every delivery and is shown only once. Up to 20 endpoints. It receives the events of the whole account: they cannot be limited to one product or form. Failed deliveries are retried for about 3 days, at growing intervals.',
      example: { enabled_events: ['customer.created', 'product.updated'] },
      prepare: checkAddress,
      checks: [
        { fields: ['url'], check: (context, { url }) => checkForm(context, url) },
        {
          fields: ['enabled_events'],
          check: (context, { enabled_events }) => enabled_events && settleEvents(context, enabled_events),
        },
      ],
      rule: createEndpoint,
    }),
    retrieve({ summary: 'Show one webhook endpoint' }),
    update({
      summary: 'Change, disable or enable a webhook endpoint',
      description: 'Disabling cancels pending deliveries. Once enabled again, it receives only new events.',
      prepare: checkAddress,
      rule: updateEndpoint,
    }),
    remove({
      summary: 'Delete a webhook endpoint',
      description: 'Cancels pending deliveries; the delivery records are kept.',
      rule: deleteEndpoint,
    }),
  ],
})

async function deriveDeliveries(endpoints: WebhookEndpointRow[], context: Context): Promise<Derived[]> {
  const ids = endpoints.map(({ id }) => id)
  const queues = await rowsOf(context, 'webhook_queues')
    .where('endpoint_id', 'in', ids)
    .select(['endpoint_id', 'last_delivery_at', 'failure_count'])
    .execute()
  const byEndpoint = new Map(queues.map(({ endpoint_id, ...figures }) => [endpoint_id, figures]))
  return ids.map((id) => byEndpoint.get(id) ?? { last_delivery_at: null, failure_count: 0 })
}
