import { cancelDeliveries, EVERY_DELIVERY } from '../../../events/cancel.ts'
import type { Context } from '../../../records/context.ts'
import { deleteRow } from '../../../records/records.ts'
import { WebhookEndpoint, type WebhookEndpointRow } from './webhook_endpoint.ts'

export async function deleteEndpoint(context: Context, endpoint: WebhookEndpointRow): Promise<void> {
  await deleteRow(context, WebhookEndpoint, endpoint)
  const deliveries = { endpoint: endpoint.id, until: EVERY_DELIVERY }
  await context.enqueue(cancelDeliveries, deliveries, { awaited: true })
  context.emit(WebhookEndpoint, 'deleted', endpoint)
}
