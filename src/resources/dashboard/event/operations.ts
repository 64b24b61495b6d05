import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { type CustomPage, customList } from '../../../records/custom.ts'
import { equals, filterSeveral } from '../../../records/filters.ts'
import { findRows, requireRow } from '../../../records/records.ts'
import { resource } from '../../../records/resource.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { verbs } from '../../../records/verbs.ts'
import { WebhookEvent } from '../../messages/webhook-event/webhook-event.ts'
import { Event } from './event.ts'

/** An account has at most 20 endpoints, but deliveries to deleted endpoints are shown, too. */
const MOST_SHOWN = 100

const { list, retrieve } = verbs(Event)

/** `/events` is taken: it lists the event types. */
const PATH = '/event_log'

export const events = resource(Event, {
  dashboard: [
    list({
      id: 'list_event_log',
      path: PATH,
      summary: 'List what has happened in the account',
      filters: {
        type: filterSeveral(Event.fields.type, 'Event type; one or several', (query, types) =>
          query.where('type', 'in', types),
        ),
        resource_id: equals(Event, 'resource_id', 'Only events of the resource with this id'),
      },
    }),
    retrieve({ path: `${PATH}/{id}`, summary: 'Show an event with its data' }),
    customList({
      id: 'list_event_deliveries',
      method: 'GET',
      path: `${PATH}/{id}/deliveries`,
      summary: 'List the deliveries of an event',
      answers: WebhookEvent,
      rule: (context, { path }) => deliveriesOf(context, path.id),
    }),
  ],
})

async function deliveriesOf(context: Context, eventId: string): Promise<CustomPage<Row<typeof WebhookEvent>>> {
  const { id } = await requireRow(context, Event, eventId)
  const found = rowsOf(context, 'webhook_events').select('id').where('event_group', '=', id).orderBy('id')
  const ids = (await found.limit(MOST_SHOWN).execute()).map((row) => row.id)
  const byId = await findRows(context, WebhookEvent, ids)
  return { rows: ids.flatMap((one) => byId.get(one) ?? []), hasMore: false }
}
