import type { EventRow } from '../../../database/system-tables.ts'
import type { RunEvent } from './task_run.ts'

/** Characters of an event as JSON that a run keeps whole. */
const MAX_EVENT = 100_000

/** An event of the account as a run shows it; of a very large one, the id of its resource alone. */
export function boundedEvent({ id, type, data, previous_attributes, created_at }: EventRow): RunEvent {
  const previous = previous_attributes === null || previous_attributes.length > MAX_EVENT ? null : previous_attributes
  return {
    id,
    type,
    created_at,
    data: data.length > MAX_EVENT ? reduced(JSON.parse(data)) : JSON.parse(data),
    ...(previous !== null && { previous_attributes: JSON.parse(previous) }),
  }
}

function reduced({ id, object }: Record<string, unknown>): Record<string, unknown> {
  return { id, object, truncated: true }
}
