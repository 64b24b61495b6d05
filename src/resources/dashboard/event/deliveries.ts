import type { Context } from '../../../records/context.ts'
import type { CustomPage } from '../../../records/custom.ts'
import { findRows, requireRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { WebhookEvent } from '../../messages/webhook_event/webhook_event.ts'
import { Event } from './event.ts'

/** An account has at most 20 endpoints; some may have been deleted since. */
const MOST_SHOWN = 100

/** The deliveries of an event to the endpoints that heard of it. */
export async function deliveriesOf(context: Context, eventId: string): Promise<CustomPage> {
  const { id } = await requireRow(context, Event, eventId)
  const found = rowsOf(context, 'webhook_events').select('id').where('event_group', '=', id).orderBy('id')
  const ids = (await found.limit(MOST_SHOWN).execute()).map((row) => row.id)
  const byId = await findRows(context, WebhookEvent, ids)
  return { rows: ids.flatMap((one) => byId.get(one) ?? []), hasMore: false }
}
