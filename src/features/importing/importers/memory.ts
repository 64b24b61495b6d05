import type { Noun } from '../../../contract/declarations/noun.ts'
import { newIdAt } from '../../../contract/values/ids.ts'
import { compileForIds, insertMany } from '../../../database/compile-once.ts'
import type { Context } from '../../../records/context.ts'
import { anyTable } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import type { Draft, Source } from '../formats/format.ts'
import type { Remark } from '../formats/reading/reader.ts'

/** The kinds of imported objects. `email` stands for a customer by email, and is only used in dry runs. */
export type RememberedKind = 'product' | 'price' | 'customer' | 'order' | 'subscription' | 'email'

const finders = new Map<string, ReturnType<typeof finderOf>>()
const KEY = ['account_id', 'source', 'kind', 'source_id']

function finderOf(source: Source, kind: RememberedKind) {
  return compileForIds((db: Context['db'], accountId, names) =>
    rowsOf({ db, accountId }, 'imported_rows')
      .select(['source_id', 'id'])
      .where('source', '=', source)
      .where('kind', '=', kind)
      .where('source_id', 'in', names),
  )
}

/** Maps ids of a source to our ids. A dry run keeps new ids in memory, so that later files can refer to them. */
export class Memory {
  readonly source: Source
  readonly dry: boolean
  readonly #planned = new Map<RememberedKind, Map<string, string>>()

  constructor(source: Source, { dry }: { dry: boolean }) {
    this.source = source
    this.dry = dry
  }

  /** Returns the ids by name. Unknown names are absent. */
  async recall(context: Context, kind: RememberedKind, names: Iterable<string>): Promise<Map<string, string>> {
    const wanted = [...new Set(names)]
    const find = finders.get(`${this.source} ${kind}`) ?? finderOf(this.source, kind)
    finders.set(`${this.source} ${kind}`, find)
    const rows = await find(context.db, context.accountId, wanted)
    const found = new Map(rows.map(({ source_id, id }) => [source_id, id]))
    const planned = this.#planned.get(kind)
    for (const name of wanted) {
      const id = planned?.get(name)
      if (id !== undefined) found.set(name, id)
    }
    return found
  }

  /** Stores the ids of names. A name that already has an id keeps it. */
  async remember(context: Context, kind: RememberedKind, meanings: Iterable<readonly [string, string]>): Promise<void> {
    const all = new Map([...meanings].toReversed())
    if (this.dry) return this.#plan(kind, all)
    const { accountId: account_id } = context
    const rows = [...all].map(([source_id, id]) => ({ account_id, source: this.source, kind, source_id, id }))
    await insertMany(anyTable(context), 'imported_rows', rows, KEY)
  }

  #plan(kind: RememberedKind, meanings: ReadonlyMap<string, string>): void {
    const planned = this.#planned.get(kind) ?? new Map<string, string>()
    this.#planned.set(kind, planned)
    for (const [name, id] of meanings) if (!planned.has(name)) planned.set(name, id)
  }
}

/** Creates an id that sorts as if the object had been created at the given time. */
export function idAt({ prefix, name }: Pick<Noun, 'prefix' | 'name'>, timestamp: string): string {
  return newIdAt(prefix ?? name, Date.parse(timestamp))
}

export interface Counts {
  made: number
  /** The number of objects that existed already and stay unchanged. */
  existing: number
  /** The number of objects that an earlier import has created. */
  again: number
  /** The number of created customers that only occur in orders and subscriptions. */
  customers: number
  /** The number of archived products that were created for order lines whose product does not exist. */
  products: number
  prices: number
}

/** An object to import, with the line of the file on which it begins. */
export interface Item<D extends Draft = Draft> {
  line: number
  draft: D
}

export interface Outcome extends Counts {
  /** The reasons why objects cannot be imported, found by comparing them with the shop's data. */
  refused: Remark[]
}

export function noOutcome(): Outcome {
  return { made: 0, existing: 0, again: 0, customers: 0, products: 0, prices: 0, refused: [] }
}

export type Take<D extends Draft> = (context: Context, memory: Memory, items: readonly Item<D>[]) => Promise<Outcome>

/** Returns the first of the items with each key. */
export function firstOfEach<Thing>(things: readonly Thing[], keyOf: (thing: Thing) => string): Thing[] {
  return [...new Map(things.toReversed().map((thing) => [keyOf(thing), thing])).values()].toReversed()
}
