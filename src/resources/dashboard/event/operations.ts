import { customList } from '../../../records/custom.ts'
import { equals, filterSeveral } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { WebhookEvent } from '../../messages/webhook_event/webhook_event.ts'
import { deliveriesOf } from './deliveries.ts'
import { Event } from './event.ts'

const { list, retrieve } = verbs(Event)

/** `/events` is the list of event types. */
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
