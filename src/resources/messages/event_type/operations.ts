import { text } from '../../../contract/declarations/kinds.ts'
import { LIST_PARAMETERS } from '../../../contract/requests/query.ts'
import type { Context } from '../../../records/context.ts'
import { customList } from '../../../records/custom.ts'
import { operation } from '../../../records/operation.ts'
import { resource } from '../../../records/resource.ts'
import { EventType } from './event_type.ts'
import { listEventTypes } from './list.ts'

const cursor = text('Last name on the previous page', { max: 200, example: 'customer.created' }).nullable()

/** An older address of the list, which answers the names alone. */
const namesAlone = operation(
  EventType,
  'custom',
  'GET',
  '/webhook_endpoints/events',
  { id: 'list_event_names', summary: 'List the names of the event types' },
  {
    addressed: false,
    apply: async ({ eventTypes }: Context) => ({ kind: 'plain', value: eventTypes.names }),
  },
)

export const eventTypes = resource(EventType, {
  operations: [
    customList({
      id: 'list_events',
      method: 'GET',
      path: '/events',
      summary: 'List the event types you can subscribe to',
      answers: EventType,
      query: {
        ...LIST_PARAMETERS,
        starting_after: cursor,
        resource: text('Only events of this resource', { max: 100, example: 'customer' }),
      },
      rule: (context, { query }) => listEventTypes(context, query),
    }),
  ],
  aliases: [namesAlone],
})
