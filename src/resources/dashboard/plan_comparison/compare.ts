import type { Noun } from '../../../contract/declarations/noun.ts'
import type { PlannedChange } from '../../../contract/declarations/planned-change.ts'
import { movedAmounts } from './moved.ts'
import type { ChangeGroup, ComparedChange, ComparedField, Kind } from './plan_comparison.ts'

/** What the comparison must know of the shop. */
export interface Shop {
  findNoun(name: string): Noun | undefined
  /** What amounts are in whose resource names no currency. */
  currency: string
}

const ORDER: Kind[] = ['deleted', 'updated', 'created', null]

/** Puts a plan's changes into groups, deletions first; `each` of a group are shown. */
export function groupsOf(planned: PlannedChange[], shop: Shop, each: number): ChangeGroup[] {
  const byEvent = [...Map.groupBy(withoutRepetitions(planned), ({ key }) => key.split(' ')[0]!)]
  const groups = byEvent.map(([event, changes]) => groupOf(event, changes, shop, each))
  return groups.toSorted((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind))
}

/** A new customer is a new lead as well: what changes anyway is not told again by another event. */
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

/** The id of `price_variant.updated price_…`. */
export function idOf({ key }: PlannedChange): string {
  return key.slice(key.indexOf(' ') + 1)
}

/** Of a plan that says nothing of it, what its key and values tell. */
function aboutOf({ key, from, to, about }: PlannedChange): NonNullable<PlannedChange['about']> {
  if (about) return about
  const kind = from !== null ? 'updated' : to !== null ? 'created' : 'deleted'
  return { kind, object: key.split('.')[0]!, partOf: {}, currency: null }
}
