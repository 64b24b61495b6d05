import { isPlainObject, jsonIn } from '../../../../contract/values/json.ts'
import type { Reader } from '../reading/reader.ts'
import type { TableRow } from '../reading/table.ts'

const COLUMN = 'metadata'
const MOST_KEYS = 50
const [MAX_KEY, MAX_VALUE] = [40, 500]

/** Reads the `metadata` cell, a JSON object with string values such as `{"vendor":"Acme"}`. */
export function readMetadata(row: TableRow, read: Reader): Record<string, string> {
  const text = read.text(row, COLUMN)
  if (text === null) return {}
  const values = parsed(text)
  if (values !== null) return values
  read.refuse(row, COLUMN, 'is no JSON object of texts; one is like {"vendor":"Acme"}')
  return {}
}

function parsed(text: string): Record<string, string> | null {
  const value = jsonIn(text)
  if (!isPlainObject(value)) return null
  const entries = Object.entries(value)
  const fits = entries.every(
    ([key, one]) => key.length <= MAX_KEY && typeof one === 'string' && one.length <= MAX_VALUE,
  )
  return fits && entries.length <= MOST_KEYS
    ? Object.fromEntries(entries.map(([key, one]) => [key, String(one)]))
    : null
}
