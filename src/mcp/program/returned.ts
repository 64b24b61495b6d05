import { isDeepStrictEqual } from 'node:util'
import type { Json } from '../../sandbox/api.ts'

type Row = { [key: string]: Json }

/** The maximum number of rows with the same id that are compared, because a program can return any number of them. */
const MAX_ROWS = 5

/** The names under which programs return the old and the new value of a field. */
const PAIRS = [
  ['from', 'to'],
  ['was', 'now'],
  ['before', 'after'],
  ['old', 'new'],
] as const

/** The rows with an id in a program's result. The response does not repeat their values in its list of changes. */
export class ReturnedRows {
  readonly #rows = new Map<string, Row[]>()

  constructor(result: Json) {
    // Programs can nest their result so deeply that recursion would overflow the stack.
    const waiting: Json[] = [result]
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
      if (typeof value !== 'object' || value === null) continue
      for (const inner of Object.values(value)) waiting.push(inner)
      if (Array.isArray(value) || typeof value.id !== 'string') continue
      const rows = this.#rows.get(value.id) ?? []
      if (rows.length < MAX_ROWS) this.#rows.set(value.id, [...rows, value])
    }
  }

  /** Returns whether the result has this value of a field or, for a change with `from` and `to`, both values as a pair. */
  has(id: string, name: string, value: unknown): boolean {
    const rows = this.#rows.get(id) ?? []
    return rows.some((row) => isDeepStrictEqual(row[name], value) || (isRow(value) && hasPair(row, name, value)))
  }
}

function hasPair(row: Row, name: string, change: Row): boolean {
  if (!('from' in change && 'to' in change)) return false
  const { from, to } = change
  const own = row[name]
  const isPair = (one: Row) =>
    PAIRS.some(([old, now]) => isDeepStrictEqual(one[old], from) && isDeepStrictEqual(one[now], to))
  return isPair(row) || isDeepStrictEqual(own, [from, to]) || (isRow(own) && isPair(own))
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
