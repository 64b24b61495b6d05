import { eventType, type Noun } from '../contract/declarations/noun.ts'
import { withoutLeftOut } from '../contract/documents/event-types.ts'
import { newId } from '../contract/values/ids.ts'
import { insertSeveral } from '../database/compile-once.ts'
import type { EventRow } from '../database/system-tables.ts'
import type { Context } from '../records/context.ts'
import { listenersOf } from '../records/listeners.ts'
import { CHANGE_KINDS, type Change, type WrittenEvent } from './change.ts'
import { type Expands, writeDeliveries } from './deliveries.ts'
import { labelOf } from './message.ts'
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
  /** The ids of jobs that start the tasks which an event triggers. */
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

  /** Returns an empty list for an update that changed no field. */
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
  } satisfies EventRow
}

function changedFields(before: ShownRow, after: ShownRow): Record<string, unknown> {
  const differing = Object.keys(after).filter(
    (name) => name !== 'updated_at' && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  return Object.fromEntries(differing.map((name) => [name, before[name]]))
}
