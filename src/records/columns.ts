import type { Field } from '../contract/declarations/field.ts'
import type { Noun, Row } from '../contract/declarations/noun.ts'
import { isWebAddress } from '../contract/values/web-address.ts'

type Values = Record<string, unknown>

interface Columns {
  booleans: string[]
  json: string[]
  foreign: string[]
  stored: [name: string, field: Field][]
}

const cache = new WeakMap<Noun, Columns>()

export function columnsOf(noun: Noun): Columns {
  let columns = cache.get(noun)
  if (columns) return columns
  const stored = Object.entries(noun.fields).filter(([, field]) => field.spec.use !== 'derived')
  stored.push(...Object.entries(noun.hidden))
  const ofType = (...types: string[]) =>
    stored.filter(([, field]) => types.includes(field.spec.type)).map(([name]) => name)
  const foreign = stored.filter(([, field]) => field.spec.foreignAddress).map(([name]) => name)
  columns = { stored, booleans: ofType('boolean'), json: ofType('array', 'object'), foreign }
  cache.set(noun, columns)
  return columns
}

/** Converts a database row, in place, into the form that operations work with. */
export function decode<N extends Noun>(noun: N, raw: object): Row<N> {
  const row = withWebAddresses(noun, raw as Values)
  const { booleans, json } = columnsOf(noun)
  for (const name of booleans) row[name] = row[name] === 1
  for (const name of json) {
    const text = row[name]
    if (typeof text === 'string') row[name] = parseJson(text)
  }
  return row as Row<N>
}

const LONGEST_ADDRESS = 2048

/** Sets values that should be web addresses but are not, such as `javascript:…`, to null. Changes `values` in place. */
export function withWebAddresses(noun: Noun, values: Values): Values {
  for (const name of columnsOf(noun).foreign) {
    const value = values[name]
    if (typeof value === 'string' && (value.length > LONGEST_ADDRESS || !isWebAddress(value))) values[name] = null
  }
  return values
}

function parseJson(text: string): unknown {
  if (text === '[]') return []
  if (text === '{}') return {}
  return JSON.parse(text)
}

/** Converts values of declared fields into the form that the database stores. */
export function encode(noun: Noun, values: Values): Values {
  const { booleans, json } = columnsOf(noun)
  const raw: Values = { ...values }
  for (const name of booleans) if (typeof raw[name] === 'boolean') raw[name] = raw[name] ? 1 : 0
  for (const name of json) if (raw[name] !== undefined && raw[name] !== null) raw[name] = JSON.stringify(raw[name])
  return raw
}
