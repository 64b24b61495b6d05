import type { JsonSchema } from '../../contract/values/json.ts'
import { counted } from '../../format/counts.ts'
import { listed } from '../../format/lists.ts'
import { formatNumber } from '../../format/numbers.ts'
import { withStop } from '../../format/sentences.ts'

/** The maximum depth of listed fields. The descriptions of their parents cover deeper ones. */
const MAX_DEPTH = 3
const MAX_DEFAULT = 60
/** The maximum of every integer column. It is not documented, because it is no business rule. */
const LARGEST_INTEGER = 2_147_483_647

/** Returns the properties of an object as list items, each with name, type, meaning and limits. */
export function fieldLines(schema: JsonSchema, depth = 0): string {
  const required = new Set((schema.required ?? []) as string[])
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  return properties
    .map(([name, property]) => {
      const type = `${typeWords(property)}${required.has(name) ? ', required' : ''}`
      return `${fieldLine({ name, type, meaning: meaningOf(property) }, depth)}${innerLines(property, depth)}`
    })
    .join('\n')
}

export function fieldLine({ name, type, meaning }: { name: string; type: string; meaning: string }, depth = 0): string {
  const inset = '  '.repeat(depth)
  return `${inset}- \`${name}\` *${type}*${meaning && `\n\n${inset}  ${meaning}`}\n`
}

function innerLines(property: JsonSchema, depth: number): string {
  const inner = objectIn(property)
  return inner && depth < MAX_DEPTH ? `\n${fieldLines(inner, depth + 1)}` : ''
}

function objectIn(schema: JsonSchema): JsonSchema | null {
  if (schema.properties) return schema
  return isObject(schema.items) ? objectIn(schema.items) : null
}

/** Returns a type in words: `string`, `array of objects`, `timestamp or null`. */
export function typeWords(schema: JsonSchema): string {
  if (Array.isArray(schema.anyOf)) return [...new Set((schema.anyOf as JsonSchema[]).map(typeWords))].join(' or ')
  const types = [schema.type].flat() as string[]
  return types.map((type) => oneType(type, schema)).join(' or ') || 'any value'
}

const FORMATS: Record<string, string> = {
  'date-time': 'timestamp',
  date: 'date',
  uri: 'URL',
  'idn-email': 'e-mail address',
}

function oneType(type: string, { format, items }: JsonSchema): string {
  if (type === 'string') return FORMATS[String(format)] ?? 'string'
  if (type !== 'array' || !isObject(items)) return type
  return `array of ${typeWords(items)
    .split(' or ')
    .map((word) => `${word.replace(/ss$/, 'sse')}s`)
    .join(' or ')}`
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null
}

function meaningOf(schema: JsonSchema): string {
  const description = typeof schema.description === 'string' ? withStop(schema.description) : ''
  return [description, ...limitsOf(schema)].filter(Boolean).join(' ')
}

export function limitsOf(schema: JsonSchema): string[] {
  const entries = isObject(schema.items) ? schema.items : {}
  return [
    valuesOf(schema) || valuesOf(entries),
    typeof schema.maxLength === 'number' && `At most ${counted(schema.maxLength, 'character')}.`,
    rangeOf(schema),
    typeof schema.minItems === 'number' && `At least ${counted(schema.minItems, 'entry')}.`,
    typeof schema.maxItems === 'number' && `At most ${counted(schema.maxItems, 'entry')}.`,
    defaultOf(schema.default),
  ].filter((one) => typeof one === 'string' && one !== '') as string[]
}

function valuesOf({ enum: values }: JsonSchema): string {
  const shown = ((values ?? []) as unknown[]).filter((value) => value !== null).map((value) => `\`${value}\``)
  if (shown.length === 0) return ''
  return shown.length === 1 ? `Always ${shown[0]}.` : `One of ${listed(shown, 'or')}.`
}

function rangeOf({ minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  const most = typeof maximum === 'number' && Math.abs(maximum) < LARGEST_INTEGER ? formatNumber(maximum) : null
  if (typeof exclusiveMinimum === 'number')
    return `More than ${formatNumber(exclusiveMinimum)}${most === null ? '' : `, at most ${most}`}.`
  if (typeof minimum !== 'number' || minimum <= -LARGEST_INTEGER) return most === null ? '' : `At most ${most}.`
  return most === null ? `At least ${formatNumber(minimum)}.` : `From ${formatNumber(minimum)} to ${most}.`
}

function defaultOf(value: unknown): string {
  if (value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)) return ''
  const text = JSON.stringify(value)
  return text.length <= MAX_DEFAULT ? `Default: \`${typeof value === 'string' ? value : text}\`.` : ''
}
