import { invalidParameter } from '../../../contract/declarations/errors.ts'
import { text } from '../../../contract/declarations/kinds.ts'
import type { AnswerOf } from '../../../contract/declarations/noun.ts'
import { LIST_PARAMETERS } from '../../../contract/requests/query.ts'
import { didYouMean } from '../../../contract/values/nearest.ts'
import type { Context } from '../../../records/context.ts'
import { type CustomPage, customList } from '../../../records/custom.ts'
import { operation } from '../../../records/operation.ts'
import { resource } from '../../../records/resource.ts'
import { EventType } from './event-type.ts'

const cursor = text('Last name on the previous page', { max: 200, example: 'customer.created' }).nullable()

/** The former URL of the list, which returns only the names. */
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

interface Query {
  limit: number | null
  starting_after?: string | null
  resource?: string
}

/** The cursor is the name of an event type. */
async function listEventTypes({ eventTypes }: Context, query: Query): Promise<CustomPage<AnswerOf<typeof EventType>>> {
  const { starting_after: after, resource } = query
  if (after != null && !eventTypes.find(after)) throw unknown('starting_after', after, eventTypes.names)
  if (resource !== undefined && !eventTypes.resources.includes(resource))
    throw unknown('resource', resource, eventTypes.resources)
  const rows = eventTypes.all.filter(
    (type) => (after == null || type.name > after) && (resource === undefined || type.resource === resource),
  )
  const limit = query.limit ?? rows.length
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit }
}

function unknown(param: 'starting_after' | 'resource', value: string, known: readonly string[]) {
  const kind = param === 'resource' ? 'the name of a resource with events' : 'the name of an event type'
  return invalidParameter(param, `is not ${kind}${didYouMean(value, [...known])}`)
}
