import { isPlainObject } from '../values/json.ts'

/** All values of one query parameter, in any of the accepted notations. */
export interface Given {
  /** Values of `name=a`, `name[]=a`, repeated names and, in Ruby programs, lists. */
  values: unknown[]
  /** Values by key, of `name[key]=a` and, in Ruby programs, hashes. */
  keys: Map<string, unknown[]>
}

/** Groups a query by parameter: `status=a`, `status[]=a`, `amount[gte]=5`. Lists and hashes of Ruby programs mean the same. */
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

/** Returns all values, including those of `name[0]=a&name[1]=b`; null if a key is not an index. */
export function listed({ values, keys }: Given): unknown[] | null {
  const indices = [...keys.keys()]
  if (!indices.every((key) => /^\d{1,4}$/.test(key))) return null
  return [...values, ...[...keys.values()].flat()]
}

export function readQueryString(text: string): Record<string, unknown> {
  const values = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const known = values.get(name)
    if (known) known.push(value)
    else values.set(name, [value])
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length > 1 ? all : all[0]]))
}

/** Splits `amount[gte]` into `amount` and `gte`. A name without a closing bracket is not split. */
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

/** Pushes one value at a time, because a list in a Ruby program may exceed the maximum number of arguments of `push`. */
function append(values: unknown[], value: unknown): void {
  if (Array.isArray(value)) for (const one of value) values.push(one)
  else values.push(value)
}
