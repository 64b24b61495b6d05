import { newId } from '../../src/contract/values/ids.ts'
import type { Receiver } from './receiver.ts'
import type { Shop } from './shop.ts'

export interface Hook {
  id: string
  secret: string
  /** The path at the receiver. */
  path: string
}

let made = 0

/** Creates webhook endpoints of a shop, each with its own path at a receiver. */
export function endpointsOf(shop: Shop, receiver: () => Receiver) {
  return {
    async endpoint(values: object = {}): Promise<Hook> {
      const path = `/hook-${++made}`
      const body = { url: receiver().url + path, enabled_events: ['*'], ...values }
      const { id, secret } = await shop.post('/webhook_endpoints', body)
      return { id, secret, path }
    },
    /** Deletes all endpoints of the shop, so that later events are not delivered. */
    async removeAll(): Promise<void> {
      for (const id of await shop.listed('/webhook_endpoints')) await shop.delete(`/webhook_endpoints/${id}`)
    },
  }
}

const LONGEST_WAIT_MS = 30_000

/** Resolves when no delivery of the shop is due or in progress. */
export async function settled(shop: Shop): Promise<void> {
  await eventually(async () => {
    const due = shop.db.selectFrom('webhook_events').select('id').where('queue', '=', 'due')
    return (await due.limit(1).execute()).length === 0
  })
}

/** Resolves when `holds` returns true, and rejects after a timeout. */
export async function eventually(holds: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + LONGEST_WAIT_MS
  while (!(await holds())) {
    if (performance.now() > until) throw new Error('It did not happen in time.')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const ROWS_AT_ONCE = 500

/** Inserts due deliveries of an endpoint into the queue, and returns their ids in order. */
export async function enqueue(shop: Shop, endpoint: string, count: number): Promise<string[]> {
  const now = new Date().toISOString().replace(/\.\d+/, '')
  const rows = Array.from({ length: count }, () => ({
    ...{ account_id: shop.accountId, id: newId('whev'), webhook_endpoint: endpoint, type: 'tag.created' },
    ...{ api_version: 'v1', event_group: 'evt_1', status: 'pending' as const, attempts: 0, response_status: null },
    ...{ response_body: null, error_message: null, next_attempt_at: now, delivered_at: null, queue: 'due' },
    ...{ due_ms: Date.now(), finished_at: null, payload: '{"type":"tag.created"}', created_at: now, updated_at: now },
  }))
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const some = rows.slice(start, start + ROWS_AT_ONCE)
    await shop.running.app.database.transaction(({ db }) => db.insertInto('webhook_events').values(some).execute())
  }
  return rows.map(({ id }) => id)
}
