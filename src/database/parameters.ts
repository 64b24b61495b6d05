export type Bindable = string | number | bigint | null | Uint8Array

/** Converts true and false to 1 and 0. Throws a TypeError for values that SQLite cannot store, such as a Date or `undefined`. */
export function bindable(parameters: readonly unknown[]): Bindable[] {
  for (let index = 0; index < parameters.length; index++) {
    const value = parameters[index]
    if (!isPlain(value)) return parameters.map(toBindable)
  }
  return parameters as Bindable[]
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || value === null
}

function toBindable(value: unknown, index: number): Bindable {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (isPlain(value) || typeof value === 'bigint' || value instanceof Uint8Array) return value as Bindable
  throw new TypeError(`Parameter ${index + 1} of the query is ${describe(value)}; ${remedy(value)}.`)
}

function describe(value: unknown): string {
  if (value instanceof Date) return 'a Date'
  if (Array.isArray(value)) return 'an array'
  return value === undefined ? 'undefined' : `a value of type ${typeof value}`
}

function remedy(value: unknown): string {
  if (value instanceof Date) return 'store its toISOString() or its milliseconds'
  return value === undefined ? 'use null for nothing' : 'store it as JSON text'
}
