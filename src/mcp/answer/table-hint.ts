import { bytesInWords } from '../../format/sizes.ts'
import type { Json } from '../../sandbox/api.ts'

/** A shorter result is easy to read without a table. */
const MIN_RESULT_BYTES = 4_000
/** A table is suggested only if its size is below this share of the size of the JSON. */
const MAX_TABLE_SHARE = 0.5
const EXAMPLE_COLUMNS = 3

/** Suggests the Ruby method `table` if that would more than halve the size of a long result; returns null otherwise. */
export function tableHint(result: Json): string | null {
  const size = sizeOf(result)
  if (size <= MIN_RESULT_BYTES) return null
  const rows = rowsOf(result)
  const [first] = rows
  if (!first) return null
  const columns = Object.keys(first)
  if (!rows.every((row) => Object.keys(row).join() === columns.join())) return null
  const table = columns.join().length + rows.reduce((sum, row) => sum + lineSize(row), 0)
  if (table >= size * MAX_TABLE_SHARE) return null
  const example = columns.slice(0, EXAMPLE_COLUMNS).map((name) => JSON.stringify(name))
  const named = columns.length > EXAMPLE_COLUMNS ? [...example, '…'] : example
  return `The result takes ${bytesInWords(size)}; table(rows, ${named.join(', ')}) would take ${bytesInWords(table)}.`
}

type Row = { [key: string]: Json }

function rowsOf(result: Json): Row[] {
  const lists = Array.isArray(result) ? [result] : isRow(result) ? Object.values(result).filter(Array.isArray) : []
  const [list] = lists
  return lists.length === 1 && list?.every(isRow) ? list : []
}

function isRow(value: Json): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function lineSize(row: Row): number {
  return Object.values(row).reduce<number>((sum, value) => sum + (value === null ? 1 : cellSize(value) + 1), 1)
}

function cellSize(value: Json): number {
  return typeof value === 'string' ? sizeOf(value) - 2 : sizeOf(value)
}

function sizeOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value))
}
