import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import type { WebhookEndpointRow } from './webhook_endpoint.ts'

/** What the deliveries to each endpoint have come to. */
export async function deriveDeliveries(endpoints: WebhookEndpointRow[], context: Context): Promise<Derived[]> {
  const ids = endpoints.map(({ id }) => id)
  const queues = await rowsOf(context, 'webhook_queues')
    .where('endpoint_id', 'in', ids)
    .select(['endpoint_id', 'last_delivery_at', 'failure_count'])
    .execute()
  const byEndpoint = new Map(queues.map(({ endpoint_id, ...figures }) => [endpoint_id, figures]))
  return ids.map((id) => byEndpoint.get(id) ?? { last_delivery_at: null, failure_count: 0 })
}
