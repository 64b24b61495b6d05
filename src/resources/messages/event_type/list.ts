import { invalidParameter } from '../../../contract/declarations/errors.ts'
import { didYouMean } from '../../../contract/values/nearest.ts'
import type { Context } from '../../../records/context.ts'
import type { CustomPage } from '../../../records/custom.ts'

interface Query {
  limit: number | null
  starting_after?: string | null
  resource?: string
}

/** A page of the event types; the cursor is a name. */
export async function listEventTypes({ eventTypes }: Context, query: Query): Promise<CustomPage> {
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
