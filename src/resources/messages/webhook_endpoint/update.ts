import type { Changes } from '../../../contract/declarations/noun.ts'
import { newId } from '../../../contract/values/ids.ts'
import { cancelDeliveries } from '../../../events/cancel.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { updateRowsOf } from '../../../records/rows-of.ts'
import { checkForm, settleEvents } from './create.ts'
import { WebhookEndpoint, type WebhookEndpointRow } from './webhook_endpoint.ts'

/** Disabling cancels what is pending; enabling begins anew, with new events alone. */
export async function updateEndpoint(
  context: Context,
  endpoint: WebhookEndpointRow,
  given: Changes<typeof WebhookEndpoint>,
): Promise<WebhookEndpointRow> {
  checkForm(context, given.url)
  const changes = given.enabled_events
    ? { ...given, enabled_events: settleEvents(context, given.enabled_events) }
    : given
  const isSwitched = changes.status !== undefined && changes.status !== endpoint.status
  const boundary = isSwitched ? { starts_after: newId('whev') } : {}
  const changed = await changeRow(context, WebhookEndpoint, endpoint, { ...changes, ...boundary })
  if (isSwitched && changed.status === 'active') await forgetFailures(context, endpoint.id)
  if (isSwitched && changed.status === 'disabled')
    await context.enqueue(cancelDeliveries, { endpoint: endpoint.id, until: changed.starts_after }, { awaited: true })
  context.emit(WebhookEndpoint, 'updated', changed)
  return changed
}

async function forgetFailures(context: Context, endpointId: string): Promise<void> {
  const queue = updateRowsOf(context, 'webhook_queues').where('endpoint_id', '=', endpointId)
  await queue.set({ failure_count: 0, failing_since: null }).execute()
}
