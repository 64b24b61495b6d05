import type { Row } from '../../../contract/declarations/noun.ts'
import { unsignedHeaders } from '../../../events/headers.ts'
import type { Context } from '../../../records/context.ts'
import { equals } from '../../../records/filters.ts'
import { type Derived, resource } from '../../../records/resource.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { verbs } from '../../../records/verbs.ts'
import { WebhookAttempt } from './webhook-attempt.ts'

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

/** Derives the request headers of attempts from their deliveries. */
async function deriveAttempts(rows: Row<typeof WebhookAttempt>[], context: Context): Promise<Derived[]> {
  const ids = [...new Set(rows.map(({ webhook_event }) => webhook_event))]
  const deliveries = await rowsOf(context, 'webhook_events').select(['id', 'type']).where('id', 'in', ids).execute()
  const types = new Map(deliveries.map(({ id, type }) => [id, type]))
  return rows.map(({ webhook_event: id, number, created_at }) => {
    const timestamp = Date.parse(created_at) / 1000
    return {
      request_headers: unsignedHeaders({ id, type: types.get(id) ?? '', number, timestamp, subscription: null }),
    }
  })
}
