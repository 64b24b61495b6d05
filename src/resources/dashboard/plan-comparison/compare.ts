import type { Noun } from '../../../contract/declarations/noun.ts'
import type { PlannedChange } from '../../../contract/declarations/planned-change.ts'

type Kind = 'deleted' | 'updated' | 'created' | null

export interface ComparedField {
  name: string
  /** Whether the values are amounts in minor units of the change's currency. */
  money: boolean
  /** Whether the field is derived from other fields instead of set by the program. */
  follows: boolean
  from: unknown
  to: unknown
}

export interface ComparedChange {
  /** An id, or a label such as `#product 1` for a resource that the program creates. */
  id: string
  label: string | null
  /** The parent resources, such as the product of a price. */
  part_of: { object: string; id: string }[]
  currency: string | null
  fields: ComparedField[]
}

/** Statistics about an amount field over all changes of a group, including those not shown. */
export interface MovedAmounts {
  field: string
  currency: string
  raised: number
  lowered: number
  /** The smallest and the largest change of an amount, ignoring its sign, in minor units. */
  least: number
  most: number
  /** The smallest and the largest change in percent of the old amount; null when an old amount is 0. */
  least_percent: number | null
  most_percent: number | null
}

export interface ChangeGroup {
  object: string
  /** Null for events that change no field, such as `order.paid`. */
  kind: Kind
  event: string
  count: number
  moved: MovedAmounts[]
  /** The first changes of the group; `count` counts all of them. */
  changes: ComparedChange[]
}

/** These return the number nearest to 0 and the number farthest from 0. */
const nearest = (numbers: number[]) => numbers.reduce((one, other) => (Math.abs(other) < Math.abs(one) ? other : one))
const farthest = (numbers: number[]) => numbers.reduce((one, other) => (Math.abs(other) > Math.abs(one) ? other : one))

export interface Shop {
  findNoun(name: string): Noun | undefined
  /** The currency of amounts in resources without a currency field. */
  currency: string
}

const ORDER: Kind[] = ['deleted', 'updated', 'created', null]

/** Groups a plan's changes by event, deletions first, with at most `each` changes per group. */
export function groupsOf(planned: PlannedChange[], shop: Shop, each: number): ChangeGroup[] {
  const byEvent = [...Map.groupBy(withoutRepetitions(planned), ({ key }) => key.split(' ')[0]!)]
  const groups = byEvent.map(([event, changes]) => groupOf(event, changes, shop, each))
  return groups.toSorted((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind))
}

/** Omits events without changes, such as `order.paid`, if the plan also lists a change of the same resource. */
function withoutRepetitions(planned: PlannedChange[]): PlannedChange[] {
  const told = new Set(planned.filter((change) => aboutOf(change).kind !== null).map(idOf))
  return planned.filter((change) => aboutOf(change).kind !== null || !told.has(idOf(change)))
}

function groupOf(event: string, planned: PlannedChange[], shop: Shop, each: number): ChangeGroup {
  const { object, kind } = aboutOf(planned[0]!)
  const all = planned.map((change) => comparedOf(change, shop))
  return { object, kind, event, count: all.length, moved: movedAmounts(all), changes: all.slice(0, each) }
}

function comparedOf(change: PlannedChange, { findNoun, currency }: Shop): ComparedChange {
  const { object, partOf, currency: own } = aboutOf(change)
  const noun = findNoun(object)
  const wholes = Object.entries(partOf)
  return {
    id: idOf(change),
    label: change.label,
    part_of: wholes.map(([field, id]) => ({ object: noun?.fields[field]?.spec.relation?.noun ?? field, id })),
    currency: own ?? currency,
    fields: fieldsOf(change, noun).filter(({ name }) => !Object.hasOwn(partOf, name)),
  }
}

function fieldsOf({ from, to }: PlannedChange, noun: Noun | undefined): ComparedField[] {
  const [before, after] = [valuesOf(from), valuesOf(to)]
  return Object.keys({ ...before, ...after }).map((name) => {
    const spec = noun?.fields[name]?.spec
    return {
      name,
      money: spec?.unit === 'minor units',
      follows: spec?.use === 'derived' && spec.write === 'never',
      from: before[name] ?? null,
      to: after[name] ?? null,
    }
  })
}

function valuesOf(value: PlannedChange['from']): Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {}
}

/** Returns the id in a key such as `price_variant.updated price_…`. */
export function idOf({ key }: PlannedChange): string {
  return key.slice(key.indexOf(' ') + 1)
}

/** Returns the resource type and kind of a change, derived from its key and values if the plan did not store them. */
function aboutOf({ key, from, to, about }: PlannedChange): NonNullable<PlannedChange['about']> {
  if (about) return about
  const kind = from !== null ? 'updated' : to !== null ? 'created' : 'deleted'
  return { kind, object: key.split('.')[0]!, partOf: {}, currency: null }
}

interface MovedField extends ComparedField {
  currency: string
  from: number
  to: number
}

function movedAmounts(changes: ComparedChange[]): MovedAmounts[] {
  const moved = changes.flatMap(({ fields, currency }) => fields.flatMap((field) => movedOf(field, currency)))
  return [...Map.groupBy(moved, ({ name, currency }) => `${name} ${currency}`).values()].map(summed)
}

function movedOf(field: ComparedField, currency: string | null): MovedField[] {
  const { money, from, to } = field
  if (!money || currency === null || typeof from !== 'number' || typeof to !== 'number') return []
  return [{ ...field, from, to, currency }]
}

function summed(moved: MovedField[]): MovedAmounts {
  const differences = moved.map(({ from, to }) => to - from)
  const percents = moved.map(({ from, to }) => (from === 0 ? null : ((to - from) / from) * 100))
  const known = percents.filter((percent) => percent !== null)
  const all = known.length === percents.length
  return {
    field: moved[0]!.name,
    currency: moved[0]!.currency,
    raised: differences.filter((difference) => difference > 0).length,
    lowered: differences.filter((difference) => difference < 0).length,
    least: nearest(differences),
    most: farthest(differences),
    least_percent: all ? nearest(known) : null,
    most_percent: all ? farthest(known) : null,
  }
}
