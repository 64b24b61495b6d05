import { isDeepStrictEqual } from 'node:util'
import type { Json } from '../../sandbox/api.ts'

type Row = { [key: string]: Json }

/** The names under which programs return the old and the new value of a field. */
const PAIRS = [
  ['from', 'to'],
  ['was', 'now'],
  ['before', 'after'],
  ['old', 'new'],
] as const

/** The rows with an id that a program's result contains. An answer does not show their values again among its changes. */
export class ReturnedRows {
  readonly #rows = new Map<string, Row[]>()

  constructor(result: Json) {
    // Programs can nest their result so deeply that recursion would overflow the stack.
    const waiting: Json[] = [result]
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
      if (typeof value !== 'object' || value === null) continue
      for (const inner of Object.values(value)) waiting.push(inner)
      if (!Array.isArray(value) && typeof value.id === 'string')
        this.#rows.set(value.id, [...(this.#rows.get(value.id) ?? []), value])
    }
  }

  /** Whether the result has this value of a field. */
  has(id: string, name: string, value: unknown): boolean {
    return this.#of(id).some((row) => isDeepStrictEqual(row[name], value))
  }

  /** Whether the result has the old and the new value of a field, as a pair under its name or under names such as `was` and `now`. */
  hasChange(id: string, name: string, from: unknown, to: unknown): boolean {
    const isPair = (row: Row) =>
      PAIRS.some(([old, now]) => isDeepStrictEqual(row[old], from) && isDeepStrictEqual(row[now], to))
    return this.#of(id).some((row) => {
      const own = row[name]
      return isPair(row) || isDeepStrictEqual(own, [from, to]) || (isRow(own) && isPair(own))
    })
  }

  #of(id: string): readonly Row[] {
    return this.#rows.get(id) ?? []
  }
}

function isRow(value: Json | undefined): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
