import { createHash } from 'node:crypto'
import type { SourceEvent } from '../../../providers/sources/provider.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { startRunsOfSource } from '../task/jobs.ts'
import { EventSource, type EventSourceRow } from './event-source.ts'

interface ReceivedEvent {
  event: SourceEvent
  /** The sender's id of the delivery; null when the request has none. */
  id: string | null
}

/** Starts the runs for a received event, unless it is a repeated delivery or the source was deleted. */
export async function receiveEvent(context: Context, sourceId: string, { event, id }: ReceivedEvent): Promise<void> {
  const source = await findRow(context, EventSource, sourceId)
  if (source && (await isFirst(context, sourceId, id))) await startRunsForEvents(context, source, [event])
}

async function isFirst({ db, accountId, realNow }: Context, sourceId: string, id: string | null): Promise<boolean> {
  if (id === null) return true
  const delivery_key = createHash('sha256').update(id).digest('base64url')
  const inserted = await db
    .insertInto('event_source_deliveries')
    .values({ account_id: accountId, event_source: sourceId, delivery_key, received_at: realNow })
    .onConflict((known) => known.doNothing())
    .returning('delivery_key')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Starts runs of all tasks connected to the source, in the order of the events. Ignores other types of events. */
export async function startRunsForEvents(
  context: Context,
  source: EventSourceRow,
  events: SourceEvent[],
): Promise<EventSourceRow> {
  const own = events.filter(({ type }) => type === source.event_type)
  for (const event of own) await startRunsOfSource(context, source, event)
  return own.length === 0 ? source : changeRow(context, EventSource, source, { last_event_at: context.now })
}
