import { sql } from 'kysely'
import { currentTimestamp } from '../contract/values/values.ts'
import { compileOnce } from '../database/compile-once.ts'
import type { Db, ShopScope } from '../resources/tables.ts'

export interface Endpoint {
  accountId: string
  id: string
  url: string
  active: boolean
  sealedSecret: string
  /** Deliveries up to this id are canceled and must not be sent. */
  startsAfter: string
  /** Whether the endpoint has acknowledged an event and has not failed since. */
  proven: boolean
  /** Null for an endpoint of the merchant. */
  subscription: Subscription | null
}

/** The subscription of an MCP client to an event, and its token. */
export interface Subscription {
  id: string
  tokenId: string
  userId: string
  event: string
}

export interface Delivery {
  accountId: string
  endpointId: string
  /** The id of the MCP client's subscription; null for an endpoint of the merchant. */
  subscription: string | null
  id: string
  type: string
  attempts: number
  /** When the delivery became due, in Unix milliseconds. */
  dueMs: number
  payload: string
}

/** The maximum number of retries that one transaction marks as due. */
const MOST_MADE_DUE = 500

/** Marks deliveries whose retry time has come as due, oldest first. */
export async function makeDue(database: ShopScope, nowMs: number): Promise<void> {
  const [first] = await firstWaiting(database.read, nowMs)
  if (!first) return
  await database.transaction(
    async ({ db }) => {
      await sql`
      update webhook_events set queue = 'due' where (account_id, id) in (
        select account_id, id from webhook_events where queue = 'waiting' and due_ms <= ${nowMs}
        order by due_ms limit ${sql.lit(MOST_MADE_DUE)}
      )`.execute(db)
    },
    { lowPriority: true },
  )
}

const firstWaiting = compileOnce((db: Db, nowMs: number) =>
  db
    .selectFrom('webhook_events')
    .select('id')
    .where('queue', '=', sql.lit('waiting'))
    .where('due_ms', '<=', nowMs)
    .limit(sql.lit(1)),
)

const PAGE = 200

/**
 * Returns endpoints with due deliveries after an id. The query skips from endpoint to endpoint through the index, so that a long queue
 * costs no more than a short one. `last` is the last id of a full page, and null for the last page.
 */
export async function dueEndpoints(db: Db, after: string): Promise<{ endpoints: Endpoint[]; last: string | null }> {
  const { rows } = await sql<FoundEndpoint>`
    with recursive turn (endpoint, place) as (
      select * from (
        select webhook_endpoint, 1 from webhook_events
        where queue = 'due' and webhook_endpoint > ${after} order by webhook_endpoint limit 1
      ) as first
      union all
      select (
        select webhook_endpoint from webhook_events
        where queue = 'due' and webhook_endpoint > turn.endpoint order by webhook_endpoint limit 1
      ), place + 1
      from turn where turn.endpoint is not null and place < ${sql.lit(PAGE)}
    )
    select turn.endpoint, webhook_endpoints.*, webhook_queues.failure_count, webhook_queues.last_delivery_at
    from turn
    left join webhook_queues on webhook_queues.endpoint_id = turn.endpoint
    left join webhook_endpoints on webhook_endpoints.account_id = webhook_queues.account_id
      and webhook_endpoints.id = webhook_queues.endpoint_id
    where turn.endpoint is not null
    order by turn.endpoint`.execute(db)
  const endpoints = rows.flatMap((row) => (row.id === null ? [] : [endpointOf(row as EndpointRow)]))
  return { endpoints, last: rows.length === PAGE ? rows.at(-1)!.endpoint : null }
}

type EndpointRow = Awaited<ReturnType<typeof findEndpoint>>[number]

/** If the endpoint was deleted, all columns except its id are null. */
type FoundEndpoint = { endpoint: string } & ({ id: null } | EndpointRow)

function endpointOf(row: EndpointRow): Endpoint {
  return {
    accountId: row.account_id,
    id: row.id,
    url: row.url,
    active: row.status === 'active' && (row.expires_at === null || row.expires_at > currentTimestamp()),
    sealedSecret: row.sealed_secret,
    startsAfter: row.starts_after,
    proven: row.last_delivery_at !== null && row.failure_count === 0,
    subscription: subscriptionOf(row),
  }
}

function subscriptionOf(row: EndpointRow): Subscription | null {
  const { subscription: id, subscriber_token: tokenId, subscriber_user: userId } = row
  const [event]: string[] = JSON.parse(row.enabled_events)
  return id && tokenId && userId && event ? { id, tokenId, userId, event } : null
}

export async function endpointNow(db: Db, { accountId, id }: Endpoint): Promise<Endpoint | undefined> {
  const [row] = await findEndpoint(db, accountId, id)
  return row && endpointOf(row)
}

const findEndpoint = compileOnce((db: Db, accountId: string, id: string) =>
  db
    .selectFrom('webhook_endpoints')
    .innerJoin('webhook_queues', (join) =>
      join
        .onRef('webhook_queues.account_id', '=', 'webhook_endpoints.account_id')
        .onRef('webhook_queues.endpoint_id', '=', 'webhook_endpoints.id'),
    )
    .selectAll('webhook_endpoints')
    .select(['webhook_queues.failure_count', 'webhook_queues.last_delivery_at'])
    .where('webhook_endpoints.account_id', '=', accountId)
    .where('webhook_endpoints.id', '=', id),
)

/** The numbers of deliveries that one query can read. Each number has its own query, which the engine plans only once. */
const COUNTS = [4, 8, 16, 32]

/** Returns about `count` of an endpoint's due deliveries after an id, in order of creation. It rounds up to one of `COUNTS`. */
export async function dueDeliveries(
  db: Db,
  { accountId, id, subscription }: Endpoint,
  { after, count }: { after: string; count: number },
): Promise<{ deliveries: Delivery[]; more: boolean }> {
  const limit = COUNTS.find((one) => one >= count) ?? COUNTS.at(-1)!
  const rows = await findDeliveries.get(limit)!(db, accountId, id, after)
  const deliveries = rows.map((row) => ({ accountId, endpointId: id, subscription: subscription?.id ?? null, ...row }))
  return { deliveries, more: rows.length === limit }
}

const findDeliveries = new Map(COUNTS.map((limit) => [limit, deliveryFinder(limit)]))

function deliveryFinder(limit: number) {
  return compileOnce((db: Db, accountId: string, endpointId: string, after: string) =>
    db
      .selectFrom('webhook_events')
      .select(['id', 'type', 'attempts', 'payload', 'due_ms as dueMs'])
      .where('queue', '=', sql.lit('due'))
      .where('webhook_endpoint', '=', endpointId)
      .where('account_id', '=', accountId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(sql.lit(limit)),
  )
}
