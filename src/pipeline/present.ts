import type { Relation } from '../contract/declarations/field.ts'
import type { Noun } from '../contract/declarations/noun.ts'
import type { FindNoun } from '../contract/documents/schemas.ts'
import type { Context } from '../records/context.ts'
import { findRows } from '../records/records.ts'
import type { Resource } from '../records/resource.ts'
import { type Expansion, NOTHING } from './expand.ts'
import { type Shape, shapeOf } from './shape.ts'

type FieldValues = Record<string, unknown>
type Row = { id: string }
type ShownRow = FieldValues & Row

interface LoadedRelation {
  name: string
  relation: Relation
  expansion: Expansion
  /** The rows of a collection by the ids of their owners; absent until the query is started. */
  items?: Promise<Map<string, Row[]>>
}

/** Turns rows into the objects that responses show. Only declared fields are shown, and related rows are loaded for all rows at once. */
export class Presenter {
  readonly #resources: Map<string, Resource>
  readonly #shapes = new Map<Noun, Shape>()

  readonly #alwaysLoaded = new Map<Noun, LoadedRelation[]>()

  constructor(shop: readonly Resource[]) {
    this.#resources = new Map(shop.map((resource) => [resource.noun.name, resource]))
  }

  readonly findNoun: FindNoun = (name) => this.#resources.get(name)?.noun

  nouns(): Noun[] {
    return [...this.#resources.values()].map((resource) => resource.noun)
  }

  /** Returns the objects that responses show for rows of a noun, in the order of the rows. */
  async present(context: Context, noun: Noun, rows: Row[], expansion: Expansion = NOTHING): Promise<ShownRow[]> {
    if (rows.length === 0) return []
    const fields = this.#toLoad(noun, expansion).map((loaded) => this.#startLoading(context, noun, loaded, rows))
    const derived = await this.#resources.get(noun.name)?.derive?.(rows, context)
    const shape = this.#shapeOf(noun)
    const shown = rows.map((row, index) => shape(row, derived?.[index] ?? NOTHING) as ShownRow)
    await this.#load(context, fields, rows, shown)
    if (expansion !== NOTHING) await this.#expandInside(context, noun, expansion, shown)
    return shown
  }

  /** Returns copies of shown rows, with the expansions that their noun declares for events. */
  async expand(context: Context, noun: Noun, rows: Row[], shown: ShownRow[]): Promise<ShownRow[]> {
    const copies = shown.map((one) => ({ ...one }))
    const names = new Set(noun.eventExpand)
    const expansion = Object.fromEntries(noun.eventExpand.map((name) => [name, NOTHING]))
    const loaded = this.#loadedFields(noun, expansion).filter(({ name }) => names.has(name))
    const begun = loaded.map((one) => this.#startLoading(context, noun, one, rows))
    await this.#load(context, begun, rows, copies)
    return copies
  }

  /** Starts the queries that are needed to show the row with this id, so that their results are cached when it is shown. */
  readAhead(context: Context, noun: Noun, id: string): void {
    for (const loaded of this.#toLoad(noun, NOTHING)) this.#startLoading(context, noun, loaded, [{ id }])
  }

  /** Starts the query for the rows of a collection, before the rows that own the collection are presented. */
  #startLoading(context: Context, noun: Noun, loaded: LoadedRelation, owners: Row[]): LoadedRelation {
    if (loaded.relation.kind !== 'collection') return loaded
    const load = this.#resources.get(noun.name)!.collections![loaded.name]!
    const ids = owners.map((owner) => owner.id)
    const items = load(ids, context)
    // Prevents an unhandled rejection; the caller that awaits `items` still gets the error.
    items.catch(() => {})
    return { ...loaded, items }
  }

  async #load(context: Context, fields: LoadedRelation[], rows: Row[], shown: ShownRow[]): Promise<void> {
    for (const loaded of fields) {
      if (loaded.items) await this.#collect(context, loaded, await loaded.items, rows, shown)
      else await this.#expand(context, loaded, rows, shown)
    }
  }

  async presentOne(context: Context, noun: Noun, row: Row, expansion: Expansion = NOTHING): Promise<ShownRow> {
    return (await this.present(context, noun, [row], expansion))[0]!
  }

  #toLoad(noun: Noun, expansion: Expansion): LoadedRelation[] {
    if (expansion !== NOTHING) return this.#loadedFields(noun, expansion)
    const always = this.#alwaysLoaded.get(noun) ?? this.#loadedFields(noun, expansion)
    this.#alwaysLoaded.set(noun, always)
    return always
  }

  #loadedFields(noun: Noun, expansion: Expansion): LoadedRelation[] {
    return Object.entries(noun.fields).flatMap(([name, { spec }]) => {
      const { relation, use } = spec
      if (!relation || use === 'input') return []
      const always = relation.kind === 'collection' && !relation.onlyExpanded
      return always || expansion[name] ? [{ name, relation, expansion: expansion[name] ?? NOTHING }] : []
    })
  }

  async #collect(
    context: Context,
    { name, relation, expansion }: LoadedRelation,
    byOwner: Map<string, Row[]>,
    owners: Row[],
    shown: ShownRow[],
  ): Promise<void> {
    const items = owners.map((owner) => byOwner.get(owner.id) ?? [])
    const presented = (await this.present(context, this.findNoun(relation.noun)!, items.flat(), expansion)).values()
    for (const [index, one] of shown.entries()) one[name] = items[index]!.map(() => presented.next().value)
  }

  /** Replaces ids with the objects that they refer to. Uses the stored id if responses show something else, such as a category's slug. */
  async #expand(
    context: Context,
    { name, relation, expansion }: LoadedRelation,
    rows: Row[],
    shown: ShownRow[],
  ): Promise<void> {
    const noun = this.findNoun(relation.noun)!
    const ids = rows.map((row, index) => [(row as FieldValues)[name] ?? shown[index]![name] ?? []].flat() as string[])
    const byId = await this.#byId(context, noun, ids.flat(), expansion)
    for (const [index, one] of shown.entries()) {
      const objects = ids[index]!.flatMap((id) => byId.get(id) ?? [])
      one[name] = relation.kind === 'many' ? objects : (objects[0] ?? null)
    }
  }

  async #byId(context: Context, noun: Noun, ids: string[], expansion: Expansion): Promise<Map<string, ShownRow>> {
    const related = [...(await findRows(context, noun, ids)).values()]
    const presented = await this.present(context, noun, related, expansion)
    return new Map(presented.map((one) => [one.id, one]))
  }

  async #expandInside(context: Context, { fields }: Noun, expansion: Expansion, shown: ShownRow[]): Promise<void> {
    for (const [name, { spec }] of Object.entries(fields)) {
      for (const [key, target] of Object.entries(spec.inside ?? {})) {
        const inner = expansion[name]?.[key]
        const holders = shown.filter((one) => Array.isArray((one[name] as FieldValues | null)?.[key]))
        if (!inner || holders.length === 0) continue
        const idsOf = (one: ShownRow) => (one[name] as FieldValues)[key] as string[]
        const byId = await this.#byId(context, this.findNoun(target)!, holders.flatMap(idsOf), inner)
        for (const one of holders)
          one[name] = { ...(one[name] as FieldValues), [key]: idsOf(one).flatMap((id) => byId.get(id) ?? []) }
      }
    }
  }

  #shapeOf(noun: Noun): Shape {
    const shape = this.#shapes.get(noun) ?? shapeOf(noun)
    this.#shapes.set(noun, shape)
    return shape
  }
}
