import type { SourceEvent } from '../../../outside/sources/provider.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { startRunsOfSource } from '../task/source.ts'
import { EventSource, type EventSourceRow } from './event_source.ts'

/** Starts the runs of the tasks that are connected to the source: for each event of its type, in their order. */
export async function happen(context: Context, source: EventSourceRow, events: SourceEvent[]): Promise<EventSourceRow> {
  const own = events.filter(({ type }) => type === source.event_type)
  for (const event of own) await startRunsOfSource(context, source, event)
  return own.length === 0 ? source : changeRow(context, EventSource, source, { last_event_at: context.now })
}
