import fc from 'fast-check'
import type { JsonSchema } from '../../src/contract/values/json.ts'
import { type Ids, KINDS } from '../support/stock.ts'

/** What generated values may lead to: rows that there are, and addresses of this machine that answer. */
export interface Surroundings {
  ids: Ids
  addresses: readonly string[]
}

const MOST_CHARACTERS = 120
const MOST_ENTRIES = 4
const HIGHEST = 2_147_483_647
const TIME_ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia']
const CURRENCIES = ['usd', 'eur', 'jpy', 'bhd']
const TEXT_TYPES = ['text', 'number', 'boolean']

/** Anything that a schema of the contract allows. The name of a field says what a schema does not: which rows its ids are of. */
export function valuesFor(schema: JsonSchema, name: string, around: Surroundings): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]))
  if ('const' in schema) return fc.constant(schema.const)
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (choices) return fc.oneof(...choices.map((one) => valuesFor(one, name, around)))
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type) => valuesFor({ ...schema, type }, name, around)))
  switch (schema.type) {
    case 'string':
      return textOf(schema, name, around)
    case 'integer':
    case 'number':
      return numberOf(schema)
    case 'boolean':
      return fc.boolean()
    case 'array':
      return listOf(schema, name, around)
    case 'object':
      return objectOf(schema, around)
    case 'null':
      return fc.constant(null)
    default:
      return fc.constantFrom<unknown>(...TEXT_TYPES, 7, true, null)
  }
}

/** The noun whose ids a field of this name holds: `product_id`, `experience_ids` and `price_variants` say it themselves. */
const OTHER_NAMES: Record<string, string> = { media: 'file', parent: 'social_comment', respondent: 'customer' }

function kindNamed(name: string): string | undefined {
  const singular = name.replace(/^applies_to_/, '').replace(/_ids?$/, '')
  const kinds = [OTHER_NAMES[name] ?? singular, singular.replace(/s$/, '')]
  return kinds.find((kind) => KINDS.includes(kind))
}

/** What the fields of a schema, also inside of others, can hold ids of. */
export function kindsNamedIn(schema: JsonSchema): string[] {
  const names: string[] = []
  JSON.stringify(schema, (name, value) => {
    names.push(name)
    return value
  })
  return names.flatMap((name) => kindNamed(name) ?? [])
}

function textOf(schema: JsonSchema, name: string, around: Surroundings): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = MOST_CHARACTERS, pattern, format } = schema
  const [least, most] = [Number(minLength), Math.min(Number(maxLength), MOST_CHARACTERS)]
  const kind = kindNamed(name)
  const id = kind === undefined ? undefined : around.ids[kind]
  if (id !== undefined) return fc.oneof({ weight: 9, arbitrary: fc.constant(id) }, { weight: 1, arbitrary: fc.uuid() })
  if (format === 'date-time') return moment
  if (format === 'date') return moment.map((text) => text.slice(0, 10))
  if (format === 'idn-email' || format === 'email' || /(^|_)e?mails?(_|$)|^reply_to$/.test(name)) return address
  if (format === 'uri' || /(^|_)url$/.test(name)) return fc.constantFrom(...around.addresses)
  if (/timezone$/.test(name)) return fc.constantFrom(...TIME_ZONES)
  if (/currency$/.test(name)) return fc.constantFrom(...CURRENCIES)
  if (pattern) return matching(String(pattern)).filter((text) => text.length <= most || !maxLength)
  return fc
    .string({ unit: 'grapheme', minLength: least, maxLength: most })
    .filter((text) => isWithin(text, least, most))
}

/** The library generates no look-aheads, so what they refuse is left out afterwards. */
function matching(pattern: string): fc.Arbitrary<string> {
  const whole = new RegExp(pattern)
  return fc.stringMatching(new RegExp(pattern.replaceAll(/\(\?[=!][^()]*\)/g, ''))).filter((text) => whole.test(text))
}

/** Texts are counted in UTF-16 units and trimmed first. */
function isWithin(text: string, least: number, most: number): boolean {
  return text.trim().length >= least && text.length <= most
}

const moment = fc
  .oneof(
    fc.date({ min: new Date('2027-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
    fc.date({ min: new Date('1990-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
  )
  .map((date) => date.toISOString())

const address = fc.nat({ max: 1_000_000 }).map((number) => `generated-${number}@example.com`)

function numberOf({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): fc.Arbitrary<number> {
  const low = Number(minimum ?? (exclusiveMinimum === undefined ? -HIGHEST : Number(exclusiveMinimum) + 1))
  const high = Number(maximum ?? (exclusiveMaximum === undefined ? HIGHEST : Number(exclusiveMaximum) - 1))
  const within = (upTo: number) => fc.integer({ min: Math.ceil(low), max: Math.max(Math.ceil(low), Math.floor(upTo)) })
  const integers = fc.oneof(within(Math.min(high, low + 10)), within(high))
  return type === 'integer'
    ? integers
    : fc.oneof(
        integers,
        within(high - 1).map((number) => number + 0.25),
      )
}

function listOf(schema: JsonSchema, name: string, around: Surroundings): fc.Arbitrary<unknown[]> {
  const { minItems = 0, maxItems = MOST_ENTRIES, uniqueItems, items = {} } = schema
  const entries = valuesFor(items as JsonSchema, name, around)
  const lengths = {
    minLength: Number(minItems),
    maxLength: Math.max(Number(minItems), Math.min(Number(maxItems), MOST_ENTRIES)),
  }
  return uniqueItems ? fc.uniqueArray(entries, lengths) : fc.array(entries, lengths)
}

function objectOf(schema: JsonSchema, around: Surroundings): fc.Arbitrary<Record<string, unknown>> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  const declared = fc.record(
    Object.fromEntries(properties.map(([name, value]) => [name, valuesFor(value, name, around)])),
    { requiredKeys: ((schema.required ?? []) as string[]).filter((name) => properties.some(([one]) => one === name)) },
  )
  const { additionalProperties, propertyNames = {} } = schema
  if (properties.length > 0 || typeof additionalProperties !== 'object') return declared
  const keys = valuesFor(
    { type: 'string', minLength: 1, maxLength: 20, ...(propertyNames as JsonSchema) },
    'key',
    around,
  )
  return fc.dictionary(keys as fc.Arbitrary<string>, valuesFor(additionalProperties as JsonSchema, 'value', around), {
    maxKeys: MOST_ENTRIES,
    noNullPrototype: true,
  })
}
