import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { deleteRow } from '../../../records/records.ts'
import { deleteRowsOf } from '../../../records/rows-of.ts'
import { forgetSource, sourceIsUsed } from '../task/source.ts'
import { EventSource, type EventSourceRow } from './event_source.ts'

/** A poll under way finds the source gone, and starts nothing. */
export async function deleteSource(context: Context, source: EventSourceRow): Promise<void> {
  if (await sourceIsUsed(context, source.id))
    throw new ApiError('resource_in_use', 'An active task uses this event source. Pause or delete the task first.')
  await forgetSource(context, source.id)
  if (source.job !== null) await context.cancel(source.job)
  await deleteRowsOf(context, 'event_source_memories').where('event_source', '=', source.id).execute()
  await deleteRow(context, EventSource, source)
  context.emit(EventSource, 'deleted', source)
}
