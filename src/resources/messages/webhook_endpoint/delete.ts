import type { Row } from '../../../contract/noun.ts'
import { cancelPending, EVERY_DELIVERY } from '../../../events/cancel.ts'
import type { Context } from '../../../records/context.ts'
import { deleteRow } from '../../../records/records.ts'
import { deleteRowsOf } from '../../../records/rows-of.ts'
import { WebhookEndpoint } from './webhook_endpoint.ts'

export async function deleteEndpoint(context: Context, endpoint: Row<typeof WebhookEndpoint>): Promise<void> {
  await deleteRow(context, WebhookEndpoint, endpoint)
  await deleteRowsOf(context, 'webhook_queues').where('endpoint_id', '=', endpoint.id).execute()
  await cancelPending(context, { endpoint: endpoint.id, until: EVERY_DELIVERY })
  context.emit(WebhookEndpoint, 'deleted', endpoint)
}
