import { equals } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { deriveAttempts } from './show.ts'
import { WebhookAttempt } from './webhook_attempt.ts'

const { list } = verbs(WebhookAttempt)

export const webhookAttempts = resource(WebhookAttempt, {
  derive: deriveAttempts,
  dashboard: [
    list({
      summary: 'List the attempts of deliveries',
      filters: { webhook_event: equals(WebhookAttempt, 'webhook_event', 'Only attempts of the delivery of this id') },
    }),
  ],
})
