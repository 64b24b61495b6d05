import { isPlainObject } from '../values/json.ts'

/** All that a query says of one parameter, however it was written. */
export interface Given {
  /** `name=a`, `name[]=a`, repeated names, and lists in programs. */
  values: unknown[]
  /** `name[key]=a`, and hashes in programs: the values of each key. */
  keys: Map<string, unknown[]>
}

/**
 * Reads the names of a query: `status=a`, `status[]=a`, `amount[gte]=5`. Values are strings over HTTP, where a name that is
 * repeated has the list of its values, and plain JSON values from a program, where a list or a hash says the same.
 */
export function readGiven(query: Record<string, unknown>): Map<string, Given> {
  const given = new Map<string, Given>()
  for (const [written, value] of Object.entries(query)) {
    if (value === undefined) continue
    const { name, key } = readName(written)
    const of = given.get(name) ?? { values: [], keys: new Map() }
    given.set(name, of)
    if (key !== undefined && key !== '') add(of.keys, key, value)
    else if (isPlainObject(value)) for (const [inner, one] of Object.entries(value)) add(of.keys, inner, one)
    else append(of.values, value)
  }
  return given
}

/** The values of `name[0]=a&name[1]=b` with those of the other forms; null where a key is not a number. */
export function listed({ values, keys }: Given): unknown[] | null {
  const indices = [...keys.keys()]
  if (!indices.every((key) => /^\d{1,4}$/.test(key))) return null
  return [...values, ...[...keys.values()].flat()]
}

/** Reads the text behind the question mark; a name that is repeated has the list of its values. */
export function readQueryString(text: string): Record<string, unknown> {
  const values = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const known = values.get(name)
    if (known) known.push(value)
    else values.set(name, [value])
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length > 1 ? all : all[0]]))
}

/** `amount[gte]` is the key `gte` of `amount`; a name whose brackets do not close is taken as it is. */
function readName(written: string): { name: string; key: string | undefined } {
  const open = written.indexOf('[')
  if (open <= 0 || !written.endsWith(']')) return { name: written, key: undefined }
  return { name: written.slice(0, open), key: written.slice(open + 1, -1) }
}

function add(keys: Map<string, unknown[]>, key: string, value: unknown): void {
  const values = keys.get(key) ?? []
  keys.set(key, values)
  append(values, value)
}

/** One by one: a program's list may be longer than the arguments that a call takes. */
function append(values: unknown[], value: unknown): void {
  if (Array.isArray(value)) for (const one of value) values.push(one)
  else values.push(value)
}
