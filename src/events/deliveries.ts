import type { Noun } from '../contract/declarations/noun.ts'
import { EVERY_EVENT } from '../contract/documents/event-types.ts'
import { newId } from '../contract/values/ids.ts'
import { compileOnce } from '../database/compile-once.ts'
import type { Context } from '../records/context.ts'
import type { Tables } from '../resources/tables.ts'
import type { Change, WrittenEvent } from './change.ts'
import { API_VERSION, bodyOf, type EventData, formatOf, type MessageFormat } from './message.ts'

type ShownRow = Record<string, unknown> & { id: string }
type DeliveryRow = Tables['webhook_events']

/** Expands the references and collections of rows that are shown in events. */
export interface Expands {
  expand(context: Context, noun: Noun, rows: { id: string }[], shown: ShownRow[]): Promise<ShownRow[]>
}

interface Subscriber {
  id: string
  format: MessageFormat
  hears: ReadonlySet<string>
}

/** SQLite allows 32,766 parameters in a statement, and a delivery has 18. */
const ROWS_PER_INSERT = 500

/** Writes a delivery of each event for each subscribed endpoint, in the transaction of the change. Returns the number of deliveries. */
export async function writeDeliveries(context: Context, events: WrittenEvent[], presenter: Expands): Promise<number> {
  const subscribers = await subscribersOf(context)
  const heard = events.filter(({ change }) => subscribers.some((one) => isSubscribed(one, change.type)))
  if (heard.length === 0) return 0
  const data = await dataOf(context, heard, presenter)
  const dueMs = Date.now()
  const rows = heard.flatMap((event) =>
    subscribers
      .filter((one) => isSubscribed(one, event.change.type))
      .map((one) => deliveryRow(context, event, one, { data: data.get(event.id)!, dueMs })),
  )
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    const some = rows.slice(start, start + ROWS_PER_INSERT)
    await context.db.insertInto('webhook_events').values(some).execute()
  }
  return rows.length
}

function isSubscribed({ hears }: Subscriber, type: string): boolean {
  return hears.has(EVERY_EVENT) || hears.has(type)
}

const activeEndpoints = compileOnce((db: Context['db'], accountId: string, now: string) =>
  db
    .selectFrom('webhook_endpoints')
    .select(['id', 'format', 'enabled_events', 'subscription'])
    .where('account_id', '=', accountId)
    .where('status', '=', 'active')
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .orderBy('id'),
)

async function subscribersOf({ db, accountId, realNow }: Context): Promise<Subscriber[]> {
  const endpoints = await activeEndpoints(db, accountId, realNow)
  return endpoints.map((endpoint) => ({
    id: endpoint.id,
    format: formatOf(endpoint),
    hears: new Set(JSON.parse(endpoint.enabled_events) as string[]),
  }))
}

/** Returns the data of each event, with the related resources that events of its type embed (`eventExpand`). */
async function dataOf(context: Context, events: WrittenEvent[], presenter: Expands): Promise<Map<string, EventData>> {
  const data = new Map<string, EventData>()
  for (const [noun, some] of Map.groupBy(events, (event) => event.noun)) {
    const living = some.filter(({ change }) => change.shown !== null)
    const shown = living.map(({ change }) => ({ ...change.shown, id: change.id }))
    const rows = living.map(({ row }) => row)
    const expanded = noun.eventExpand.length === 0 ? shown : await presenter.expand(context, noun, rows, shown)
    for (const [index, { id, change }] of living.entries()) data.set(id, eventData(change, expanded[index]!))
    for (const { id, change } of some)
      if (change.shown === null) data.set(id, eventData(change, { id: change.id, object: noun.name, deleted: true }))
  }
  return data
}

function eventData({ id, object, label }: Change, shown: Record<string, unknown>): EventData {
  return { id, object, label, json: JSON.stringify(shown), amount: shown.amount, currency: shown.currency }
}

interface DeliveryContent {
  data: EventData
  dueMs: number
}

function deliveryRow(
  { accountId, eventTypes, now, realNow, test }: Context,
  { id: group, change: { type, previous } }: WrittenEvent,
  { id: endpoint, format }: Subscriber,
  { data, dueMs }: DeliveryContent,
): DeliveryRow {
  const id = newId('whev')
  const { description } = eventTypes.find(type)!
  const previousAttributes = previous && JSON.stringify(previous)
  const message = { id, type, description, livemode: !test, createdAt: now, data, previousAttributes }
  return {
    account_id: accountId,
    id,
    type,
    api_version: API_VERSION,
    webhook_endpoint: endpoint,
    event_group: group,
    status: 'pending',
    attempts: 0,
    response_status: null,
    response_body: null,
    error_message: null,
    next_attempt_at: realNow,
    delivered_at: null,
    queue: 'due',
    due_ms: dueMs,
    finished_at: null,
    payload: bodyOf(message, format),
    // Webhook deliveries use the system time, even in accounts with a test clock.
    created_at: realNow,
    updated_at: realNow,
  }
}
