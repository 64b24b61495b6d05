import type { Field, Relation } from '../contract/field.ts'
import type { Noun } from '../contract/noun.ts'
import type { FindNoun } from '../contract/schemas.ts'
import type { Context } from '../records/context.ts'
import { findRows } from '../records/records.ts'
import type { Derived, Resource } from '../records/resource.ts'
import type { Expansion } from './expand.ts'

type Values = Record<string, unknown>
type Shown = Values & { id: string }

interface Plan {
  plain: string[]
  related: [name: string, relation: Relation][]
}

/** Turns rows into answers. Only declared fields can leave; what belongs together is loaded for all rows at once. */
export class Presenter {
  readonly #resources: Map<string, Resource>
  readonly #plans = new Map<Noun, Plan>()

  constructor(shop: Resource[]) {
    this.#resources = new Map(shop.map((resource) => [resource.noun.name, resource]))
  }

  readonly findNoun: FindNoun = (name) => this.#resources.get(name)?.noun

  nouns(): Noun[] {
    return [...this.#resources.values()].map((resource) => resource.noun)
  }

  /** Rows of a noun as answers show them, in their order. */
  async present(context: Context, noun: Noun, rows: { id: string }[], expansion: Expansion = {}): Promise<Shown[]> {
    if (rows.length === 0) return []
    const { plain, related } = this.#planOf(noun)
    const derived = await this.#derive(context, noun, rows)
    const shown = rows.map((row, index) => this.#plainFields(noun, plain, row, derived[index]!))
    for (const [name, relation] of related) {
      await this.#relate(context, noun, { name, relation, expansion: expansion[name] }, rows, derived, shown)
    }
    return related.length === 0 ? shown : shown.map((one) => inOrder(noun, one))
  }

  async presentOne(context: Context, noun: Noun, row: { id: string }, expansion: Expansion = {}): Promise<Shown> {
    return (await this.present(context, noun, [row], expansion))[0]!
  }

  async #derive(context: Context, noun: Noun, rows: { id: string }[]): Promise<Derived[]> {
    const derive = this.#resources.get(noun.name)?.derive
    return derive ? await derive(rows as never[], context) : rows.map(() => ({}))
  }

  #plainFields(noun: Noun, names: string[], row: Values, derived: Derived): Shown {
    const shown: Values = {}
    for (const name of names) {
      if (name === 'object') shown.object = noun.name
      else if (name === 'allowed_actions') shown.allowed_actions = noun.states?.[String(row.status)] ?? []
      else shown[name] = derived[name] ?? row[name] ?? null
    }
    return shown as Shown
  }

  async #relate(
    context: Context,
    noun: Noun,
    { name, relation, expansion }: { name: string; relation: Relation; expansion: Expansion | undefined },
    rows: { id: string }[],
    derived: Derived[],
    shown: Shown[],
  ): Promise<void> {
    if (relation.kind === 'collection') {
      if (relation.onlyExpanded && !expansion) return
      const found = await this.#collect(context, noun, name, relation, rows, expansion ?? {})
      for (const [index, row] of rows.entries()) shown[index]![name] = found.get(row.id) ?? []
      return
    }
    const collapsed = (index: number) => derived[index]![name] ?? (rows[index] as Values)[name] ?? null
    if (!expansion) {
      for (const [index, one] of shown.entries()) one[name] = collapsed(index)
      return
    }
    const ids = (index: number) => [(rows[index] as Values)[name] ?? derived[index]![name] ?? []].flat() as string[]
    const found = await this.#expand(
      context,
      relation.noun,
      rows.flatMap((_, index) => ids(index)),
      expansion,
    )
    for (const [index, one] of shown.entries()) {
      const objects = ids(index).flatMap((id) => found.get(id) ?? [])
      one[name] = relation.kind === 'many' ? objects : (objects[0] ?? null)
    }
  }

  async #collect(
    context: Context,
    noun: Noun,
    name: string,
    relation: Relation,
    rows: { id: string }[],
    expansion: Expansion,
  ) {
    const load = this.#resources.get(noun.name)!.collections![name]!
    const byOwner = await load(
      rows.map((row) => row.id),
      context,
    )
    const all = [...byOwner.values()].flat()
    const shown = await this.present(context, this.findNoun(relation.noun)!, all, expansion)
    const byId = new Map(all.map((row, index) => [row, shown[index]!]))
    return new Map([...byOwner].map(([owner, items]) => [owner, items.map((item) => byId.get(item)!)]))
  }

  async #expand(context: Context, nounName: string, ids: string[], expansion: Expansion): Promise<Map<string, Shown>> {
    const noun = this.findNoun(nounName)!
    const rows = [...(await findRows(context, noun, ids)).values()]
    const shown = await this.present(context, noun, rows, expansion)
    return new Map(shown.map((one) => [one.id, one]))
  }

  #planOf(noun: Noun): Plan {
    let plan = this.#plans.get(noun)
    if (plan) return plan
    const fields = Object.entries(noun.fields).filter(([, field]) => field.spec.use !== 'input')
    plan = {
      plain: fields.filter(([, field]) => !relationOf(field)).map(([name]) => name),
      related: fields.flatMap(([name, field]) =>
        relationOf(field) ? [[name, relationOf(field)!] as [string, Relation]] : [],
      ),
    }
    this.#plans.set(noun, plan)
    return plan
  }
}

function relationOf(field: Field): Relation | undefined {
  return field.spec.relation
}

function inOrder(noun: Noun, shown: Shown): Shown {
  const ordered: Values = {}
  for (const name of Object.keys(noun.fields)) if (name in shown) ordered[name] = shown[name]
  return ordered as Shown
}
