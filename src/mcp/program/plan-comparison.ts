import { type Consequences, moneyOf } from '../../contract/declarations/consequence.ts'
import type { Difference, PlannedChange } from '../../contract/declarations/planned-change.ts'
import { isLaterId } from '../../contract/values/ids.ts'
import type { Json } from '../../sandbox/api.ts'
import type { NetChange } from './changes.ts'
import { ID, MadeIds, withMadeNames } from './made-ids.ts'

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/
/** The tolerance for times that a program computes relative to the present. */
const SAME_TIME_MS = 15_000
const MOST_DIFFERENCES = 20

/** Returns a run's changes without the ids that it created, because these differ between runs. `startId` was made as it started. */
export function plannedChanges(changes: NetChange[], startId: string): PlannedChange[] {
  const names = madeIds(changes, startId)
  return changes.map(({ type, kind, object, id, label, partOf, currency, from, to }) => ({
    key: `${type} ${names.get(id) ?? id}`,
    label,
    from: withNames(from, names),
    to: withNames(to, names),
    about: { kind, object, partOf: withNames(partOf, names) as Record<string, string>, currency },
  }))
}

/** Names the ids that the run created. An id without an event, such as a task run's, is new if it is later than `startId`. */
function madeIds(changes: NetChange[], startId: string): Map<string, string> {
  const made = new MadeIds()
  for (const { kind, object, id } of changes) if (kind === 'created') made.add(object, id)
  const shown = JSON.stringify(changes.map(({ id, from, to }) => [id, from, to]))
  for (const [id] of shown.matchAll(ID))
    if (!made.names.has(id) && isLaterId(id, startId)) made.add(id.slice(0, id.lastIndexOf('_')), id)
  return made.names
}

function withNames(value: unknown, names: Map<string, string>): Json {
  return JSON.parse(withMadeNames(JSON.stringify(value ?? null), names))
}

export interface RunChanges {
  changes: PlannedChange[]
  /** Unix time in milliseconds. Times that the program computed are compared relative to it. */
  startedAt: number
  /** The effects outside the database, such as emails; null in a plan that was stored without them. */
  consequences: Consequences[] | null
}

/** Returns the differences between the plan and a later run; empty if they have the same effects. */
export function differences(planned: RunChanges, now: RunChanges): Difference[] {
  const before = new Map(planned.changes.map((change) => [change.key, change]))
  const after = new Map(now.changes.map((change) => [change.key, change]))
  const same = sameValue(planned.startedAt, now.startedAt)
  const keys = [...new Set([...before.keys(), ...after.keys()])]
  const found = keys.flatMap((key) => differencesOf(key, before.get(key), after.get(key), same))
  return [...moneyDifference(planned, now), ...found].slice(0, MOST_DIFFERENCES)
}

/** Compares the amounts of money that move after the commit. Approvers have seen the planned amount, so it must not change. */
function moneyDifference({ consequences: planned }: RunChanges, { consequences: now }: RunChanges): Difference[] {
  if (planned === null || now === null) return []
  const [was, is] = [moneyOf(planned), moneyOf(now)]
  return was === is
    ? []
    : [{ change: 'after_commit', name: 'After it is applied', field: 'money', planned: was, now: is }]
}

type ValuesMatch = (planned: Json, now: Json) => boolean

function differencesOf(
  key: string,
  planned: PlannedChange | undefined,
  now: PlannedChange | undefined,
  same: ValuesMatch,
): Difference[] {
  const name = planned?.label ?? now?.label
  const change = { change: key, ...(name != null && { name }) }
  if (!planned || !now) return [{ ...change, planned: planned ? shown(planned) : null, now: now ? shown(now) : null }]
  const [wasFrom, isFrom, wasTo, isTo] = [planned.from, now.from, planned.to, now.to].map(fieldsOf)
  const fields = [...new Set([wasFrom, isFrom, wasTo, isTo].flatMap((values) => Object.keys(values!)))]
  return fields
    .filter((field) => !same(at(wasFrom!, field), at(isFrom!, field)) || !same(at(wasTo!, field), at(isTo!, field)))
    .map((field) => ({
      ...change,
      field,
      planned: step(planned, at(wasFrom!, field), at(wasTo!, field)),
      now: step(now, at(isFrom!, field), at(isTo!, field)),
    }))
}

function shown({ from, to }: PlannedChange): Json {
  return from === null ? (to ?? 'deleted') : { from, to }
}

function step({ from }: PlannedChange, was: Json, is: Json): Json {
  return from === null ? is : { from: was, to: is }
}

function fieldsOf(value: Json): { [name: string]: Json } {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {}
}

function at(values: { [name: string]: Json }, name: string): Json {
  return values[name] ?? null
}

/** Two values match if they are identical, or are times at the same distance from the start of their runs. */
function sameValue(plannedAt: number, nowAt: number): ValuesMatch {
  const same: ValuesMatch = (planned, now) => {
    if (typeof planned === 'string' && typeof now === 'string') {
      if (planned === now) return true
      if (!TIMESTAMP.test(planned) || !TIMESTAMP.test(now)) return false
      return Math.abs(Date.parse(planned) - plannedAt - (Date.parse(now) - nowAt)) <= SAME_TIME_MS
    }
    if (planned === null || now === null || typeof planned !== 'object' || typeof now !== 'object')
      return planned === now
    const names = new Set([...Object.keys(planned), ...Object.keys(now)])
    const [left, right] = [Object.entries(planned), Object.entries(now)].map((entries) => Object.fromEntries(entries))
    return (
      names.size === Object.keys(planned).length && [...names].every((name) => same(at(left!, name), at(right!, name)))
    )
  }
  return same
}
