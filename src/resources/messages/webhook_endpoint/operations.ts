import { cancelDeliveries } from '../../../events/cancel.ts'
import { equals } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { checkAddress, checkForm } from './address.ts'
import { createEndpoint } from './create.ts'
import { deleteEndpoint } from './delete.ts'
import { settleEvents } from './enabled_events.ts'
import { deriveDeliveries } from './show.ts'
import { updateEndpoint } from './update.ts'
import { WebhookEndpoint } from './webhook_endpoint.ts'

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
        'Keep the secret: it signs every delivery and is shown this once. Up to 20 endpoints. Each change of the account is delivered after it was made, and again after failures, with growing gaps, over about 3 days.',
      emits: ['webhook_endpoint.created'],
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
      description: 'Disabling cancels pending deliveries. After enabling, it hears of new events only.',
      emits: ['webhook_endpoint.updated'],
      prepare: checkAddress,
      rule: updateEndpoint,
    }),
    remove({
      summary: 'Delete a webhook endpoint',
      description: 'Pending deliveries are canceled; the records of deliveries stay.',
      emits: ['webhook_endpoint.deleted'],
      rule: deleteEndpoint,
    }),
  ],
})
