import { newId } from '../contract/ids.ts'
import { eventType, type Noun } from '../contract/noun.ts'
import { cut } from '../contract/values.ts'
import { insertOne } from '../database/compile-once.ts'
import type { EventRow } from '../database/system-tables.ts'
import type { Context } from '../records/context.ts'

type Shown = Record<string, unknown> & { id: string }

/** Shows rows as the answers of their operations do. */
interface Presents {
  present(context: Context, noun: Noun, rows: { id: string }[]): Promise<Shown[]>
}

interface Emitted {
  type: string
  noun: Noun
  event: string
  row: { id: string }
}

/** What one event said of its resource: a change as plans and answers of programs tell it. */
export interface Change {
  type: string
  object: string
  id: string
  /** What people know the resource by, where it has such a field. */
  label: string | null
  /** The ids of the resources that it is part of, by field: the product of a price. */
  partOf: Record<string, string>
  /** The resource as it is now; null when it was deleted. */
  shown: Record<string, unknown> | null
  /** Old values of changed fields; null except on updates. */
  previous: Record<string, unknown> | null
}

/** SQLite takes 32,766 parameters in a statement, and an event has seven. */
const EVENTS_PER_INSERT = 500

/** Collects the events of one operation and writes them at its end, when their resources are as a reader will see them. */
export class Outbox {
  readonly #allowed: readonly string[]
  readonly #presenter: Presents
  readonly #emitted = new Map<string, Emitted>()
  /** Rows as they were shown before the rule changed them, by id. */
  readonly #before = new Map<string, Shown>()

  /** `allowed` are the event types that the operation declares. */
  constructor(allowed: readonly string[], presenter: Presents) {
    this.#allowed = allowed
    this.#presenter = presenter
  }

  /** Shows rows before they change. The first look at a row counts. */
  async remember(context: Context, noun: Noun, rows: readonly { id: string }[]): Promise<void> {
    if (!this.#allowed.includes(eventType(noun, 'updated'))) return
    const unseen = rows.filter((row) => !this.#before.has(row.id))
    for (const shown of await this.#presenter.present(context, noun, unseen)) this.#before.set(shown.id, shown)
  }

  emit: Context['emit'] = (noun: Noun, event: string, row) => {
    const type = eventType(noun, event)
    if (!this.#allowed.includes(type)) throw new Error(`The operation does not declare that it emits ${type}`)
    if (event === 'updated' && !this.#before.has(row.id))
      throw new Error(`${type} was emitted for a row that was not remembered before it changed`)
    this.#emitted.set(`${type} ${row.id}`, { type, noun, event, row })
  }

  /** Writes what was emitted. `answered` is a row that was already presented, so that it need not be again. */
  async write(context: Context, answered?: { row: unknown; shown: Shown }): Promise<Change[]> {
    if (this.#emitted.size === 0) return []
    const shown = await this.#present(context, answered)
    const changes = [...this.#emitted.values()].flatMap((emitted) => this.#changeOf(emitted, shown))
    await insertEvents(
      context,
      changes.map((change) => eventRow(context, change)),
    )
    return changes
  }

  /** The emitted rows by id, each noun's at once. */
  async #present(context: Context, answered?: { row: unknown; shown: Shown }): Promise<Map<string, Shown>> {
    const shown = new Map<string, Shown>()
    if (answered) shown.set(answered.shown.id, answered.shown)
    const remaining = [...this.#emitted.values()].filter(
      ({ event, row }) => event !== 'deleted' && !isShown(row, answered),
    )
    for (const [noun, emitted] of Map.groupBy(remaining, (one) => one.noun)) {
      const rows = [...new Map(emitted.map(({ row }) => [row.id, row])).values()]
      for (const one of await this.#presenter.present(context, noun, rows)) shown.set(one.id, one)
    }
    return shown
  }

  #changeOf({ type, noun, event, row }: Emitted, presented: Map<string, Shown>): Change[] {
    const shown = event === 'deleted' ? null : presented.get(row.id)!
    const previous = event === 'updated' ? changedFields(this.#before.get(row.id)!, shown!) : null
    if (previous && Object.keys(previous).length === 0) return []
    return [{ type, object: noun.name, id: row.id, label: labelOf(row), partOf: wholesOf(noun, row), shown, previous }]
  }
}

const LABELS = ['name', 'title', 'code', 'email', 'content']
const LABEL_LENGTH = 80

function labelOf(row: object): string | null {
  const [, label] =
    Object.entries(row).find(([name, value]) => LABELS.includes(name) && typeof value === 'string') ?? []
  return label === undefined ? null : cut(label, LABEL_LENGTH)
}

/** What a resource cannot be without: its required references. */
function wholesOf({ fields }: Noun, row: object): Record<string, string> {
  const isWhole = (name: string) => fields[name]?.spec.required && fields[name].spec.relation?.kind === 'one'
  return Object.fromEntries(Object.entries(row).filter(([name]) => isWhole(name)))
}

function isShown(row: { id: string }, answered: { row: unknown } | undefined): boolean {
  return answered !== undefined && row === answered.row
}

function eventRow(context: Context, { type, object, id, shown, previous }: Change): EventRow {
  return {
    account_id: context.accountId,
    id: newId('evt'),
    type,
    resource_id: id,
    data: JSON.stringify(shown ?? { id, object, deleted: true }),
    previous_attributes: previous && JSON.stringify(previous),
    created_at: context.now,
  }
}

async function insertEvents(context: Context, events: EventRow[]): Promise<void> {
  const [only] = events
  if (events.length === 1) return insertOne(context.db, 'events', { ...only })
  for (let start = 0; start < events.length; start += EVENTS_PER_INSERT) {
    await context.db
      .insertInto('events')
      .values(events.slice(start, start + EVENTS_PER_INSERT))
      .execute()
  }
}

/** Old values of the top-level fields that differ; when it changed does not count as a change. */
function changedFields(before: Shown, after: Shown): Record<string, unknown> {
  const differing = Object.keys(after).filter(
    (name) => name !== 'updated_at' && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  return Object.fromEntries(differing.map((name) => [name, before[name]]))
}
