import type { FieldSpec } from '../../declarations/field.ts'
import { MAX_VALUES } from '../../declarations/parameter.ts'
import { isPlainObject, type JsonSchema } from '../../values/json.ts'
import { valueSchema } from '../schemas.ts'

export const KEY_PREFIX = 'Key: '
/** The entries of the legend. `uses` matches the texts that need an entry. */
const KEY: readonly (readonly [uses: RegExp, entry: string])[] = [
  [/^/, 'no type is text'],
  [/\bmoney\b/, 'money: integer in minor units'],
  [/\btime\b/, 'time: UTC'],
  [/->/, '->x: id of an x (-> alone: of its name)'],
  [/[\w>\]]\+/, '+: `expand` shows it whole'],
  [/\[/, '[]: list'],
  [/\w\[\](?:,| )/, `x[]: up to ${MAX_VALUES} values`],
  [/\?/, '?: may be null, "what that means"'],
  [/\*/, '*: required'],
  [/=/, '=: default'],
  [/<-/, 'a<-b: bodies say b'],
  [/\branges \w/, 'ranges: {gt:, lte:}'],
]

/** Returns the entries of the legend that explain the types in a text. */
export function typeKey(text: string): string[] {
  return KEY.filter(([uses]) => uses.test(text)).map(([, entry]) => entry)
}

/** The size of the whole legend in bytes. */
export const KEY_BYTES = Buffer.byteLength(`${KEY_PREFIX}${KEY.map(([, entry]) => entry).join('; ')}\n`)

const WORDS: Record<string, string> = { string: '', integer: 'int', boolean: 'bool' }
const FORMATS: Record<string, string> = { 'date-time': 'time', date: 'date', uri: 'url', 'idn-email': 'email' }
const UNITS: Record<string, string> = { 'minor units': 'money', 'lower-case ISO 4217': 'currency' }

/** Returns the type as a word: `money`, `int days`, `->customer`. Text and enums have none. */
export function typeWord(name: string, spec: FieldSpec, schema: JsonSchema = valueSchema({ spec })): string {
  const { relation, unit } = spec
  if (relation) return relationWord(name, relation)
  const known = UNITS[String(unit)]
  if (known) return known === name ? '' : known
  return [schemaWord(schema, spec.type), unit].filter(Boolean).join(' ')
}

function relationWord(
  name: string,
  { noun, kind, collapsedTo, expandable, onlyExpanded }: NonNullable<FieldSpec['relation']>,
): string {
  if (kind === 'collection') return `[${noun}]${onlyExpanded ? '+' : ''}`
  const held = `->${noun === name ? '' : noun}${collapsedTo ? `.${collapsedTo}` : ''}${expandable ? '+' : ''}`
  return kind === 'many' ? `[${held}]` : held
}

function schemaWord(schema: JsonSchema, type: string): string {
  if (typeof schema.format === 'string') return FORMATS[schema.format] ?? schema.format
  if (type !== 'array') return WORDS[type] ?? type
  const items = isPlainObject(schema.items) ? schema.items : {}
  return `[${Array.isArray(items.enum) ? items.enum.join('|') : schemaWord(items, String(items.type ?? 'string'))}]`
}

/** Returns the values of an enum, such as `pending|succeeded|failed`, or an empty string if the description explains each of them. */
export function valueWords(schema: JsonSchema, description: string): string {
  const values = Array.isArray(schema.enum) ? schema.enum.map(String) : []
  return values.every((value) => explains(description, value)) ? '' : values.join('|')
}

/** Whether the description explains a value, as in `pending: being paid` or `inactive (switched off)`. */
function explains(description: string, value: string): boolean {
  return new RegExp(`(?:^|[ ;,.(])${value}(?::| \\()`).test(description)
}
