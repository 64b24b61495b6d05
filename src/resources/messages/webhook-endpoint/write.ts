import { type FieldErrors, invalid } from '../../../contract/declarations/errors.ts'
import type { Changes, CreateInput } from '../../../contract/declarations/noun.ts'
import { EVERY_EVENT } from '../../../contract/documents/event-types.ts'
import { newId } from '../../../contract/values/ids.ts'
import { didYouMean } from '../../../contract/values/nearest.ts'
import { insertOne } from '../../../database/compile-once.ts'
import { cancelDeliveries, EVERY_DELIVERY } from '../../../events/cancel.ts'
import { API_VERSION } from '../../../events/message.ts'
import { newSigningSecret, SECRET_PURPOSE } from '../../../events/signing.ts'
import { AddressRefusedError, addressProblem } from '../../../providers/web/client.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, deleteRow, insertRow } from '../../../records/records.ts'
import { requireFewer, rowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import { replacing } from '../../../runtime/errors.ts'
import { WebhookEndpoint, type WebhookEndpointRow } from './webhook-endpoint.ts'

const MOST_ENDPOINTS = 20

/** Only the response of this operation contains the endpoint's secret. */
export async function createEndpoint(
  context: Context,
  input: CreateInput<typeof WebhookEndpoint>,
): Promise<WebhookEndpointRow> {
  checkForm(context, input.url)
  const enabled_events = settleEvents(context, input.enabled_events)
  const own = rowsOf(context, 'webhook_endpoints').where('subscription', 'is', null)
  await requireFewer(own, MOST_ENDPOINTS, 'webhook endpoints')
  const secret = newSigningSecret()
  const endpoint = await insertEndpoint(context, { ...input, enabled_events }, secret)
  const shown = Object.assign(endpoint, { secret })
  return context.emit(WebhookEndpoint, 'created', shown)
}

type EndpointValues = Omit<Parameters<typeof insertRow<typeof WebhookEndpoint>>[2], 'sealed_secret' | 'api_version'>

export async function insertEndpoint(
  context: Context,
  values: EndpointValues,
  secret: string,
): Promise<WebhookEndpointRow> {
  const sealed = { sealed_secret: context.services.vault.seal(SECRET_PURPOSE, secret), api_version: API_VERSION }
  const endpoint = await insertRow(context, WebhookEndpoint, { ...values, ...sealed })
  await insertOne(context.db, 'webhook_queues', {
    account_id: context.accountId,
    endpoint_id: endpoint.id,
    last_delivery_at: null,
    failure_count: 0,
    failing_since: null,
    holder: null,
    leased_until: 0,
  })
  return endpoint
}

/** Drops duplicates; a list that contains `*` becomes `*` alone. Throws a 422 for an empty list or an unknown type. */
export function settleEvents({ eventTypes }: Context, given: string[]): string[] {
  if (given.length === 0) throw invalid({ enabled_events: ['must contain an event type, or "*" for all'] })
  const errors: FieldErrors = {}
  for (const [index, name] of given.entries()) {
    if (name === EVERY_EVENT || eventTypes.find(name)) continue
    const meant = didYouMean(name, eventTypes.names)
    errors[`enabled_events.${index}`] = [`is not an event type${meant}; GET /events lists them`]
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return given.includes(EVERY_EVENT) ? [EVERY_EVENT] : [...new Set(given)]
}

/** Resolves the URL's host before the transaction. Throws a 422 if events must not be sent to the host. */
export async function checkAddress({ services }: Context, { url }: { url?: string }): Promise<void> {
  if (url === undefined) return
  await services.web.webhooks
    .check(url)
    .catch(replacing(AddressRefusedError, ({ message }) => invalid({ url: [message] })))
}

/** Checks a URL without resolving its host. Throws a 422. */
export function checkForm({ services }: Context, url: string | undefined): void {
  const problem = url === undefined ? null : addressProblem(services.web.webhooks, url)
  if (problem !== null) throw invalid({ url: [problem] })
}

/** Disabling an endpoint cancels its pending deliveries. After it is enabled again, it receives only new events. */
export async function updateEndpoint(
  context: Context,
  endpoint: WebhookEndpointRow,
  given: Changes<typeof WebhookEndpoint>,
): Promise<WebhookEndpointRow> {
  if (endpoint.subscription !== null) refuseOfClient(given)
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
  return context.emit(WebhookEndpoint, 'updated', changed)
}

/** Throws a 422 for changes of the URL, events or format, which are fixed for the subscription of an MCP client. */
function refuseOfClient(given: Changes<typeof WebhookEndpoint>): void {
  const errors: FieldErrors = {}
  for (const name of ['url', 'enabled_events', 'format'] as const)
    if (given[name] !== undefined)
      errors[name] = ['cannot be changed, because an MCP client made this endpoint; disable or delete it']
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

export async function forgetFailures(context: Context, endpointId: string): Promise<void> {
  const queue = updateRowsOf(context, 'webhook_queues').where('endpoint_id', '=', endpointId)
  await queue.set({ failure_count: 0, failing_since: null }).execute()
}

export async function deleteEndpoint(context: Context, endpoint: WebhookEndpointRow): Promise<void> {
  await deleteRow(context, WebhookEndpoint, endpoint)
  const deliveries = { endpoint: endpoint.id, until: EVERY_DELIVERY }
  await context.enqueue(cancelDeliveries, deliveries, { awaited: true })
  context.emit(WebhookEndpoint, 'deleted', endpoint)
}
