import { sql } from 'kysely'
import { newId } from '../contract/values/ids.ts'
import type { Scope, Unit } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'
import type { Endpoint } from './queue.ts'

type Db = Unit<Tables>['db']

/** Which endpoints this process delivers to, so that two replicas never make the same attempt at a time. */
export interface Leases {
  /** Giving an endpoint back is a write. */
  readonly shared: boolean
  /** Takes the endpoints that no other process has. Gives the moment of `performance.now()` until which each is its own. */
  take(endpoints: Endpoint[]): Promise<Map<string, number>>
  /** Holds those of the given endpoints that are still its own for longer. */
  renew(endpointIds: string[]): Promise<Map<string, number>>
  /** Gives endpoints back, in the transaction that writes what came of their last attempts. */
  release(db: Db, endpointIds: string[]): Promise<void>
}

/** One process is the only one there is. */
export function localLeases(): Leases {
  const forEver = (ids: string[]) => new Map(ids.map((id) => [id, Number.POSITIVE_INFINITY]))
  return {
    shared: false,
    take: async (endpoints) => forEver(endpoints.map(({ id }) => id)),
    renew: async (ids) => forEver(ids),
    async release() {},
  }
}

/** Replicas on PostgreSQL. The clock of the database decides, since those of the replicas may differ. */
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
