import { newId } from '../contract/ids.ts'
import type { Noun } from '../contract/noun.ts'
import { insertOne } from '../database/compile-once.ts'
import type { Context } from '../records/context.ts'

/** An event of the account's history, written in the transaction of its change; deliveries are made from it. */
export interface EventRow {
  account_id: string
  id: string
  type: string
  resource_id: string
  /** JSON: the resource as its retrieve operation showed it at that moment. */
  data: string
  /** JSON: old values of changed top-level fields; null except on updates. */
  previous_attributes: string | null
  created_at: string
}

declare module '../records/tables.ts' {
  interface Tables {
    events: EventRow
  }
}

type Shown = Record<string, unknown> & { id: string }

/** Shows a row as the answers of its operations do. */
interface Presents {
  presentOne(context: Context, noun: Noun, row: { id: string }): Promise<Shown>
}

interface Emitted {
  type: string
  noun: Noun
  row: { id: string }
  before: { id: string } | undefined
  deleted: boolean
}

/** Collects the events of one operation and writes them at its end, when their resources are as a reader will see them. */
export class Outbox {
  readonly #allowed: readonly string[]
  readonly #emitted: Emitted[] = []

  /** `allowed` are the event types that the operation declares. */
  constructor(allowed: readonly string[]) {
    this.#allowed = allowed
  }

  emit: Context['emit'] = (type, noun, row, { before, deleted = false } = {}) => {
    if (!this.#allowed.includes(type)) throw new Error(`The operation does not declare that it emits ${type}`)
    this.#emitted.push({ type, noun, row, before, deleted })
  }

  /** `answered` is a row that was already presented, so that it need not be again. */
  async write(context: Context, presenter: Presents, answered?: { row: unknown; shown: Shown }): Promise<void> {
    if (this.#emitted.length === 0) return
    const events: EventRow[] = []
    for (const { type, noun, row, before, deleted } of this.#emitted) {
      const shown =
        row === answered?.row ? answered.shown : deleted ? null : await presenter.presentOne(context, noun, row)
      const previous = before && shown ? changedFields(await presenter.presentOne(context, noun, before), shown) : null
      if (previous && Object.keys(previous).length === 0) continue
      events.push({
        account_id: context.accountId,
        id: newId('evt'),
        type,
        resource_id: row.id,
        data: JSON.stringify(shown ?? { id: row.id, object: noun.name, deleted: true }),
        previous_attributes: previous && JSON.stringify(previous),
        created_at: context.now,
      })
    }
    if (events.length === 1) await insertOne(context.db, 'events', { ...events[0] })
    else if (events.length > 1) await context.db.insertInto('events').values(events).execute()
  }
}

/** Old values of the top-level fields that differ; when it changed does not count as a change. */
function changedFields(before: Shown, after: Shown): Record<string, unknown> {
  const differing = Object.keys(after).filter(
    (name) => name !== 'updated_at' && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  return Object.fromEntries(differing.map((name) => [name, before[name]]))
}
