import { ApiError, invalidParameter } from '../../../contract/declarations/errors.ts'
import type { Row } from '../../../contract/declarations/noun.ts'
import { didYouMean } from '../../../contract/values/nearest.ts'
import type { Context } from '../../../records/context.ts'
import { equals, filterSeveral } from '../../../records/filters.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { resource } from '../../../records/resource.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { verbs } from '../../../records/verbs.ts'
import { WebhookEndpoint } from '../webhook-endpoint/webhook-endpoint.ts'
import { WebhookEvent } from './webhook-event.ts'

type DeliveryRow = Row<typeof WebhookEvent>

/** The maximum number of attempts of one delivery, including requested ones. */
const MOST_ATTEMPTS = 50

/** Makes a delivery due at once, with the same id and body. If it fails, it is retried while attempts are left. */
async function resendDelivery(context: Context, delivery: DeliveryRow): Promise<DeliveryRow> {
  if (delivery.queue === 'due') return delivery
  if (delivery.attempts >= MOST_ATTEMPTS)
    throw refused(`It has already been attempted ${delivery.attempts} times, which is the maximum.`)
  await requireResendable(context, delivery)
  const due = await changeRow(context, WebhookEvent, delivery, {
    status: 'pending',
    queue: 'due',
    due_ms: Date.parse(context.realNow),
    next_attempt_at: context.realNow,
    finished_at: null,
  })
  return context.emit(WebhookEvent, 'updated', due)
}

/** Throws a 400 if the endpoint is deleted or disabled, or while its older deliveries are still being canceled. */
async function requireResendable(context: Context, { id, webhook_endpoint }: DeliveryRow): Promise<void> {
  const endpoint = await findRow(context, WebhookEndpoint, webhook_endpoint)
  if (!endpoint) throw refused('The endpoint was deleted, so the event cannot be sent.')
  if (endpoint.status === 'disabled') throw refused('The endpoint is disabled. Enable it first, then resend.')
  if (id > endpoint.starts_after) return
  const left = rowsOf(context, 'webhook_events')
    .select('id')
    .where('queue', 'in', ['due', 'waiting'])
    .where('webhook_endpoint', '=', endpoint.id)
    .where('id', '<=', endpoint.starts_after)
  if (await left.limit(1).executeTakeFirst())
    throw refused('Older deliveries of this endpoint are still being canceled. Try again in a moment.')
  await changeRow(context, WebhookEndpoint, endpoint, { starts_after: '' })
}

function refused(message: string): ApiError {
  return new ApiError('invalid_state', message)
}

const { list, retrieve, action } = verbs(WebhookEvent)

export const webhookEvents = resource(WebhookEvent, {
  operations: [
    list({
      summary: 'List deliveries, newest first',
      filters: {
        type: filterSeveral(WebhookEvent.fields.type, 'Event type; one or several', (query, names, { eventTypes }) => {
          const unknown = names.find((name) => !eventTypes.find(name))
          if (unknown !== undefined)
            throw invalidParameter('type', `is not an event type${didYouMean(unknown, eventTypes.names)}`)
          return query.where('type', 'in', names)
        }),
        status: equals(WebhookEvent, 'status', 'Only deliveries of this status'),
        webhook_endpoint: equals(WebhookEvent, 'webhook_endpoint', 'Only deliveries to the endpoint with this id'),
      },
    }),
    retrieve({ summary: 'Show one delivery with its payload' }),
  ],
  dashboard: [
    action('resend', {
      summary: 'Send a delivery again, at once',
      rubyHelper: 'resend',
      rule: resendDelivery,
    }),
  ],
})
