import { createHash } from 'node:crypto'
import { shorten } from '../../contract/values/shorten.ts'
import { cut } from '../../contract/values/values.ts'
import type { Change, ChangeKind } from '../../events/change.ts'
import type { Json } from '../../sandbox/api.ts'
import { MadeIds, withMadeNames } from './made-ids.ts'
import { ReturnedRows } from './returned.ts'

type FieldValues = Record<string, unknown>

/** The combined effect of all calls of a program on one resource. */
export interface NetChange {
  type: string
  kind: Change['kind']
  object: string
  id: string
  label: string | null
  /** The ids of parent resources, such as the product of a price. */
  partOf: Record<string, string>
  /** The currency of the resource's amounts, even if it has not changed. */
  currency: string | null
  /** The old values of changed fields; null unless the resource was updated. */
  from: FieldValues | null
  /** The changed fields of an update, all non-empty fields of a new resource, or null for a deletion. */
  to: FieldValues | null
}

/** Up to this many changed resources of a type are shown; of more, only the count and a few samples. */
const SHOWN_WHOLE = 20
const SAMPLES = 5
/** The maximum size in bytes of all samples of one type. The minimum and maximum for a single sample follow. */
const TYPE_BYTES = 2_000
const [LEAST_SAMPLE_BYTES, MOST_SAMPLE_BYTES] = [160, 600]

/** A text up to this length is stored whole; a longer one is cut to `HEAD_LENGTH`. */
const MAX_WHOLE_LENGTH = 2_000
const HEAD_LENGTH = 500
/** Enough hexadecimal digits to rule out collisions. */
const DIGEST_DIGITS = 32

/** Collects the changes of one run from the events that its calls wrote. */
export class ProgramChanges {
  readonly #net = new Map<string, NetChange>()
  /** Events other than creations, updates and deletions, such as `order.paid`. */
  readonly #other = new Map<string, NetChange>()

  /** Resources that were created, updated or deleted. Other events about them are not counted separately. */
  readonly #touched = new Set<string>()
  readonly #made = new MadeIds()

  add(changes: readonly Change[]): void {
    for (const change of changes.map((one) => this.#kept(one))) {
      if (change.kind === null)
        this.#other.set(`${change.type} ${change.id}`, { ...netOf(change), from: null, to: null })
      else this.#merge(change, change.kind)
    }
  }

  all(): NetChange[] {
    return [...this.#net.values(), ...this.#other.values()]
  }

  /** Counts the changes by event type, for example `{"customer.updated": 90}`. */
  counts(): Record<string, number> {
    return Object.fromEntries([...this.#byType()].map(([type, changes]) => [type, changes.length]))
  }

  /** Returns a count and a few samples of the changes of each event type, without the values that the program's result has. */
  shown(result: Json = null): { [type: string]: Json } {
    const returned = new ReturnedRows(result)
    return Object.fromEntries(
      [...this.#byType()].map(([type, changes]) => [
        type,
        { count: changes.length, samples: samplesOf(changes, returned) },
      ]),
    )
  }

  /** Shortens long texts, because a program can change hundreds of records of a megabyte each. */
  #kept(change: Change): Change {
    const { shown, previous } = change
    if (change.kind === 'created') this.#made.add(change.object, change.id)
    return {
      ...change,
      shown: shown && withoutLongTexts(shown, this.#made.names),
      previous: previous && withoutLongTexts(previous, this.#made.names),
    }
  }

  #byType(): Map<string, NetChange[]> {
    const alone = [...this.#other.values()].filter(({ id }) => !this.#touched.has(id))
    return Map.groupBy([...this.#net.values(), ...alone], (change) => change.type)
  }

  #merge(change: Change, kind: ChangeKind): void {
    this.#touched.add(change.id)
    const before = this.#net.get(change.id)
    const merged = before ? mergedChange(before, change, kind) : netOf(change)
    if (merged) this.#net.set(change.id, merged)
    else this.#net.delete(change.id)
  }
}

function netOf({ type, kind, object, id, label, partOf, shown, previous }: Change): NetChange {
  const to = shown && (previous ? picked(shown, Object.keys(previous)) : nonEmptyFields(shown))
  const currency = typeof shown?.currency === 'string' ? shown.currency : null
  return { type, kind, object, id, label, partOf, currency, from: previous, to }
}

/** Merges two changes of one resource. Returns null if they cancel each other out. */
function mergedChange(before: NetChange, change: Change, kind: ChangeKind): NetChange | null {
  const created = before.kind === 'created'
  if (kind === 'deleted') return created ? null : { ...netOf(change), label: before.label }
  if (created) return { ...before, label: change.label, to: nonEmptyFields(change.shown!) }
  const from = { ...change.previous, ...before.from }
  const names = Object.keys(from).filter((name) => JSON.stringify(from[name]) !== JSON.stringify(change.shown![name]))
  if (names.length === 0) return null
  return { ...before, label: change.label, from: picked(from, names), to: picked(change.shown!, names) }
}

function picked(values: FieldValues, names: string[]): FieldValues {
  return Object.fromEntries(names.map((name) => [name, values[name]]))
}

function shownOf(changes: NetChange[]): NetChange[] {
  return changes.length <= SHOWN_WHOLE ? changes : changes.slice(0, SAMPLES)
}

const SYSTEM_FIELDS = new Set(['id', 'object', 'created_at', 'updated_at', 'allowed_actions'])

function nonEmptyFields(shown: FieldValues): FieldValues {
  return Object.fromEntries(
    Object.entries(shown).filter(([name, value]) => !SYSTEM_FIELDS.has(name) && !isEmpty(value)),
  )
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function samplesOf(changes: NetChange[], returned: ReturnedRows): Json[] {
  const shown = shownOf(changes)
  const most = Math.min(Math.max(Math.floor(TYPE_BYTES / shown.length), LEAST_SAMPLE_BYTES), MOST_SAMPLE_BYTES)
  return shown.map((change) => sampleOf(change, most, returned))
}

function sampleOf({ id, label, partOf, from, to }: NetChange, most: number, returned: ReturnedRows): Json {
  const names = Object.keys(from ?? to ?? {})
  const changes = names.map((name) => ({ name, change: from ? { from: from[name], to: to![name] } : to![name] }))
  const fresh = changes.filter(({ name, change }) => !returned.has(id, name, change))
  const fields = fresh.map(({ name, change }) => [name, change])
  const named = label !== null && !from && to ? {} : { name: label }
  const more = fresh.length < names.length && { more: 'in result' }
  return shorten({ id, ...(label !== null && named), ...partOf, ...Object.fromEntries(fields), ...more } as Json, most)
}

/** Replaces long texts with their start and a digest. New ids differ between runs, so `names` replace them before digesting. */
function withoutLongTexts(
  values: Record<string, unknown>,
  names: ReadonlyMap<string, string>,
): Record<string, unknown> {
  if (!Object.values(values).some(isLong)) return values
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isLong(value) ? digested(value, names) : value]),
  )
}

function isLong(value: unknown): value is string {
  return typeof value === 'string' && value.length > MAX_WHOLE_LENGTH
}

function digested(text: string, names: ReadonlyMap<string, string>): string {
  const digest = createHash('sha256').update(withMadeNames(text, names)).digest('hex').slice(0, DIGEST_DIGITS)
  return `${cut(text, HEAD_LENGTH)}… (${text.length - HEAD_LENGTH} more characters, digest ${digest})`
}
