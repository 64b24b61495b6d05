import { sql } from 'kysely'
import { newId } from '../contract/values/ids.ts'
import type { Scope, Transaction } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'
import type { Endpoint } from './queue.ts'

type Db = Transaction<Tables>['db']

/** Leases of the webhook endpoints that this process delivers to. They ensure that two replicas never make the same attempt. */
export interface Leases {
  /** Whether other processes take leases, too, so that releasing an endpoint requires a write. */
  readonly shared: boolean
  /** Leases those endpoints that no other process has leased. Returns the end of each lease on the clock of `performance.now()`. */
  take(endpoints: Endpoint[]): Promise<Map<string, number>>
  /** Renews the leases that this process still has. Returns their new ends. */
  renew(endpointIds: string[]): Promise<Map<string, number>>
  /** Releases endpoints in the transaction that writes their last results. */
  release(db: Db, endpointIds: string[]): Promise<void>
}

/** Leases for a single process, to which all endpoints belong. */
export function localLeases(): Leases {
  const forEver = (ids: string[]) => new Map(ids.map((id) => [id, Number.POSITIVE_INFINITY]))
  return {
    shared: false,
    take: async (endpoints) => forEver(endpoints.map(({ id }) => id)),
    renew: async (ids) => forEver(ids),
    async release() {},
  }
}

/** Leases for replicas on PostgreSQL. They use the clock of the database, because the clocks of replicas may differ. */
export function sharedLeases(database: Scope<Tables>, leaseMs: number): Leases {
  const holder = newId('holder')
  const nowMs = sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
  const until = sql`${nowMs} + cast(${leaseMs} as bigint)`
  const lease = async (condition: ReturnType<typeof sql>) => {
    const began = performance.now()
    const rows = await database.transaction(async ({ db }) => {
      const leased = sql<{ endpoint_id: string }>`
        update webhook_queues set holder = ${holder}, leased_until = ${until} where ${condition} returning endpoint_id`
      return (await leased.execute(db)).rows
    })
    return new Map(rows.map(({ endpoint_id }) => [endpoint_id, began + leaseMs]))
  }
  return {
    shared: true,
    async take(endpoints) {
      if (endpoints.length === 0) return new Map()
      const own = sql.join(endpoints.map(({ accountId, id }) => sql`(${accountId}, ${id})`))
      return lease(sql`(account_id, endpoint_id) in (${own}) and leased_until < ${nowMs}`)
    },
    renew: async (ids) =>
      ids.length === 0 ? new Map() : lease(sql`endpoint_id in (${sql.join(ids)}) and holder = ${holder}`),
    async release(db, ids) {
      if (ids.length === 0) return
      await sql`
        update webhook_queues set holder = null, leased_until = 0
        where endpoint_id in (${sql.join(ids)}) and holder = ${holder}`.execute(db)
    },
  }
}
