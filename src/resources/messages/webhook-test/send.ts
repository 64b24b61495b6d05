import { ApiError, invalidParameter, missingResource } from '../../../contract/declarations/errors.ts'
import type { AnswerOf } from '../../../contract/declarations/noun.ts'
import { EVERY_EVENT, type EventType } from '../../../contract/documents/event-types.ts'
import { newId } from '../../../contract/values/ids.ts'
import { didYouMean } from '../../../contract/values/nearest.ts'
import { bodyOf, formatOf, labelOf } from '../../../events/message.ts'
import { SECRET_PURPOSE } from '../../../events/signing.ts'
import type { OutsideContext } from '../../../records/context.ts'
import { findRow } from '../../../records/records.ts'
import { WebhookEndpoint, type WebhookEndpointRow } from '../webhook-endpoint/webhook-endpoint.ts'
import type { WebhookTest } from './webhook-test.ts'

interface TestCall {
  path: { id: string }
  query: { event_type?: string }
  input: { event_type?: string }
}

/** Nothing is stored. */
export async function sendTest(
  context: OutsideContext,
  { path, query, input }: TestCall,
): Promise<AnswerOf<typeof WebhookTest>> {
  const endpoint = await findRow(context, WebhookEndpoint, path.id)
  if (!endpoint) throw missingResource(WebhookEndpoint.name)
  const type = typeOf(context, endpoint, input.event_type ?? query.event_type)
  if (endpoint.status === 'disabled')
    throw new ApiError('invalid_state', 'The webhook endpoint is disabled. Enable it first: status active.')
  const id = newId('whev')
  const { status, delivered, error, durationMs } = await context.services.webhooks.send({
    url: endpoint.url,
    secret: context.services.vault.open(SECRET_PURPOSE, endpoint.sealed_secret),
    id,
    type: type.name,
    number: 1,
    subscription: endpoint.subscription,
    body: await sampleBody(context, endpoint, type, id),
  })
  if (!delivered) throw new ApiError('webhook_delivery_failed', `The test event was not delivered. ${error}`)
  const message = `The endpoint answered ${status}.`
  return { delivered, message, event_type: type.name, response_status: status, duration_ms: durationMs }
}

/** The default is the first type that the endpoint receives. */
function typeOf({ eventTypes }: OutsideContext, endpoint: WebhookEndpointRow, asked?: string): EventType {
  const first = endpoint.enabled_events[0]
  const name = asked ?? (first === EVERY_EVENT || first === undefined ? eventTypes.names[0]! : first)
  const type = eventTypes.find(name)
  if (!type) throw invalidParameter('event_type', `is not an event type${didYouMean(name, eventTypes.names)}`)
  return type
}

async function sampleBody(
  context: OutsideContext,
  endpoint: WebhookEndpointRow,
  type: EventType,
  id: string,
): Promise<string> {
  const sample = context.eventTypes.sampleData(type)
  const { amount, currency } = sample
  const data = { id: sample.id, object: type.resource, json: JSON.stringify(sample), label: labelOf(sample) }
  const message = {
    id,
    type: type.name,
    description: type.description,
    livemode: !context.test,
    createdAt: context.now,
    data: { ...data, amount, currency },
    previousAttributes: type.name.endsWith('.updated') ? '{}' : null,
    test: true,
  }
  return bodyOf(message, formatOf(endpoint))
}
