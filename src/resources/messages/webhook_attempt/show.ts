import type { Row } from '../../../contract/declarations/noun.ts'
import { unsignedHeaders } from '../../../events/headers.ts'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import type { WebhookAttempt } from './webhook_attempt.ts'

/** The headers of each attempt follow from its delivery. */
export async function deriveAttempts(rows: Row<typeof WebhookAttempt>[], context: Context): Promise<Derived[]> {
  const ids = [...new Set(rows.map(({ webhook_event }) => webhook_event))]
  const deliveries = await rowsOf(context, 'webhook_events').select(['id', 'type']).where('id', 'in', ids).execute()
  const types = new Map(deliveries.map(({ id, type }) => [id, type]))
  return rows.map(({ webhook_event: id, number, created_at }) => {
    const timestamp = Date.parse(created_at) / 1000
    return { request_headers: unsignedHeaders({ id, type: types.get(id) ?? '', number, timestamp }) }
  })
}
