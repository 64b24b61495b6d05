import { eventType, type Noun } from '../contract/declarations/noun.ts'
import { EVERY_EVENT, withoutLeftOut } from '../contract/documents/event-types.ts'
import { newId } from '../contract/values/ids.ts'
import { compileOnce, insertSeveral } from '../database/compile-once.ts'
import type { Context } from '../records/context.ts'
import { listenersOf } from '../records/listeners.ts'
import type { Tables } from '../resources/tables.ts'
import { CHANGE_KINDS, type Change, type WrittenEvent } from './change.ts'
import { API_VERSION, bodyOf, type EventData, formatOf, labelOf, type MessageFormat } from './message.ts'
import { triggerTasks } from './task-triggers.ts'

type ShownRow = Record<string, unknown> & { id: string }

/** Presents rows in the same form as the responses of operations. */
interface Presents extends Expands {
  present(context: Context, noun: Noun, rows: { id: string }[]): Promise<ShownRow[]>
}

interface EmittedEvent {
  type: string
  noun: Noun
  event: string
  row: { id: string }
}

/** SQLite allows 32,766 parameters in a statement, and an event has seven. */
const EVENTS_PER_INSERT = 500

/** Collects the events of an operation and writes them at its end, when the resources have reached their final state. */
export class Outbox {
  readonly #allowed: readonly string[]
  readonly #presenter: Presents
  readonly #emitted = new Map<string, EmittedEvent>()
  /** Rows as they were shown before the operation changed them, by id. */
  readonly #before = new Map<string, ShownRow>()
  /** The number of deliveries that were written. The deliverer sends them after the commit. */
  deliveries = 0
  /** The ids of the enqueued jobs that start the tasks which the events trigger. */
  readonly jobs: string[] = []

  /** `allowed` contains the event types that the operation declares. */
  constructor(allowed: readonly string[], presenter: Presents) {
    this.#allowed = allowed
    this.#presenter = presenter
  }

  /** Starts the query for webhook endpoints and tasks that listen to events, together with the operation's first query. */
  readAhead(context: Context): void {
    // Prevents an unhandled rejection; the caller that awaits the listeners still gets the error.
    listenersOf(context).catch(() => {})
  }

  /** Presents rows before they change, to find the changed fields later. Only the first call for a row has an effect. */
  async remember(context: Context, noun: Noun, rows: readonly { id: string }[]): Promise<void> {
    if (!this.#allowed.includes(eventType(noun, 'updated'))) return
    const unseen = rows.filter((row) => !this.#before.has(row.id))
    const presented = await this.#presenter.present(context, noun, unseen)
    for (const [index, shown] of presented.entries()) this.#before.set(unseen[index]!.id, shown)
  }

  emit: Context['emit'] = (noun: Noun, event: string, row) => {
    const type = eventType(noun, event)
    if (!this.#allowed.includes(type)) throw new Error(`The operation does not declare that it emits ${type}`)
    if (event === 'updated' && !this.#before.has(row.id))
      throw new Error(`${type} was emitted for a row that was not remembered before it changed`)
    this.#emitted.set(`${type} ${row.id}`, { type, noun, event, row })
    return row
  }

  /** Writes the emitted events and returns the changes. `answered` is a row that the response has already presented. */
  async write(context: Context, answered?: { row: unknown; shown: ShownRow }): Promise<Change[]> {
    if (this.#emitted.size === 0) return []
    const shown = await this.#present(context, answered)
    const events = [...this.#emitted.values()].flatMap((emitted) => this.#eventOf(emitted, shown))
    if (events.length === 0) return []
    const [listeners] = await Promise.all([listenersOf(context), insertEvents(context, events)])
    const told = events.filter(({ noun }) => !noun.eventsStayInside)
    if (listeners.endpoints && told.length > 0) this.deliveries += await writeDeliveries(context, told, this.#presenter)
    if (listeners.tasks) this.jobs.push(...(await triggerTasks(context, told)))
    return events.map(({ noun, row, change }) =>
      change.kind === 'created' && isPresented(row, answered) ? withHiddenInput(noun, row, change) : change,
    )
  }

  /** Presents the rows of the emitted events, all rows of one noun together. Returns them by id. */
  async #present(context: Context, answered?: { row: unknown; shown: ShownRow }): Promise<Map<string, ShownRow>> {
    const shown = new Map<string, ShownRow>()
    if (answered) shown.set(answered.shown.id, answered.shown)
    const remaining = [...this.#emitted.values()].filter(
      ({ event, row }) => event !== 'deleted' && !isPresented(row, answered),
    )
    const byNoun = [...Map.groupBy(remaining, (one) => one.noun)].map(async ([noun, emitted]) => {
      const rows = [...new Map(emitted.map(({ row }) => [row.id, row])).values()]
      const presented = await this.#presenter.present(context, noun, rows)
      for (const [index, one] of presented.entries()) shown.set(rows[index]!.id, one)
    })
    await Promise.all(byNoun)
    return shown
  }

  /** Returns the event to write; none for an update that changed no field. */
  #eventOf({ type, noun, event, row }: EmittedEvent, presented: Map<string, ShownRow>): WrittenEvent[] {
    const all = event === 'deleted' ? null : presented.get(row.id)!
    const changed = event === 'updated' ? changedFields(this.#before.get(row.id)!, all!) : null
    if (changed && Object.keys(changed).length === 0) return []
    const shown = all && withoutLeftOut(noun, all)
    const previous = changed && withoutLeftOut(noun, changed)
    const [label, partOf] = [labelOf(row), parentsOf(noun, row)]
    const kind = CHANGE_KINDS.find((one) => one === event) ?? null
    const change = { type, kind, object: noun.name, id: row.id, label, partOf, shown, previous }
    return [{ id: newId('evt'), noun, row, change }]
  }
}

/** Returns a resource's required references to other resources, which are its parents. */
function parentsOf({ fields }: Noun, row: object): Record<string, string> {
  const isWhole = (name: string) => fields[name]?.spec.required && fields[name].spec.relation?.kind === 'one'
  return Object.fromEntries(Object.entries(row).filter(([name]) => isWhole(name)))
}

/** Adds inputs that responses never show, such as the text of an email, because the people who decide on a plan must see them. */
function withHiddenInput({ fields }: Noun, row: object, change: Change): Change {
  const values = row as Record<string, unknown>
  const isUnseen = ([name, { spec }]: [string, Noun['fields'][string]]) =>
    spec.use === 'input' && spec.input === undefined && !spec.relation && values[name] != null
  const unseen = Object.entries(fields).filter(isUnseen)
  return { ...change, shown: { ...change.shown, ...Object.fromEntries(unseen.map(([name]) => [name, values[name]])) } }
}

function isPresented(row: { id: string }, answered: { row: unknown } | undefined): boolean {
  return answered !== undefined && row === answered.row
}

async function insertEvents(context: Context, events: WrittenEvent[]): Promise<void> {
  const rows = events.map((event) => eventRow(context, event))
  for (let start = 0; start < rows.length; start += EVENTS_PER_INSERT)
    await insertSeveral(context.db, 'events', rows.slice(start, start + EVENTS_PER_INSERT))
}

function eventRow(context: Context, { id, change }: WrittenEvent) {
  const { type, object, id: resource, shown, previous } = change
  return {
    account_id: context.accountId,
    id,
    type,
    resource_id: resource,
    data: JSON.stringify(shown ?? { id: resource, object, deleted: true }),
    previous_attributes: previous && JSON.stringify(previous),
    created_at: context.now,
  } satisfies Tables['events']
}

function changedFields(before: ShownRow, after: ShownRow): Record<string, unknown> {
  const differing = Object.keys(after).filter(
    (name) => name !== 'updated_at' && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  return Object.fromEntries(differing.map((name) => [name, before[name]]))
}

/** Expands references and collections in rows as events show them. */
interface Expands {
  expand(context: Context, noun: Noun, rows: { id: string }[], shown: ShownRow[]): Promise<ShownRow[]>
}

interface Subscriber {
  id: string
  format: MessageFormat
  hears: ReadonlySet<string>
}

/** SQLite allows 32,766 parameters in a statement, and a delivery has 19. */
const ROWS_PER_INSERT = 500

/** Writes a delivery of each event for each subscribed endpoint, in the transaction of the change. Returns the number of deliveries. */
async function writeDeliveries(context: Context, events: WrittenEvent[], presenter: Expands): Promise<number> {
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

function deliveryRow(
  { accountId, eventTypes, now, realNow, test }: Context,
  { id: group, change: { type, previous } }: WrittenEvent,
  { id: endpoint, format }: Subscriber,
  { data, dueMs }: { data: EventData; dueMs: number },
): Tables['webhook_events'] {
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
