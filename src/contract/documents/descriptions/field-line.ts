import type { Field, FieldSpec } from '../../declarations/field.ts'
import { inputName } from '../../declarations/noun.ts'
import type { JsonSchema } from '../../values/json.ts'
import { objectIn } from '../resource-docs.ts'
import { valueSchema } from '../schemas.ts'
import { typeWord, valueWords } from './type-word.ts'

/** Longer defaults and patterns are omitted, because the description explains them. */
const MAX_DEFAULT = 60
const MAX_PATTERN = 40

export interface LineOptions {
  /** Whether the line uses the name, type and limits of request bodies. */
  written?: boolean
  marksRequired?: boolean
  showsDefault?: boolean
  expandsInside?: readonly string[]
  /** Returns the name of an earlier field whose properties were described with the same text. */
  sameAs?: (properties: string) => string | undefined
}

/** Returns the line of a field: `amount money?=0: Price; null: never shown`. */
export function fieldLine(name: string, field: Field, options: LineOptions = {}): string {
  const { spec } = field
  const schema = schemaOf(field, options)
  const words = [
    markedName(name, field, options),
    typeWord(name, spec, schema),
    valueWords(schema, spec.description),
    options.written ? limits(spec, schema) : '',
  ]
  const meaning = [
    meaningOf(name, spec),
    propertyWords(spec, schema, options.sameAs),
    expandWords(options.expandsInside),
  ].filter(Boolean)
  return `${words.filter(Boolean).join(' ')}${nullWords(spec)}${options.showsDefault ? defaultWords(spec) : ''}${meaning.length > 0 ? `: ${meaning.join('; ')}` : ''}`
}

/** Returns a field without its description, for lists of fields: `amount* money`, `status draft|active="draft"`. */
export function fieldWord(name: string, field: Field, options: LineOptions = {}): string {
  if (name === 'metadata') return name
  const { spec } = field
  const schema = schemaOf(field, options)
  const names = spec.relation ? [] : propertyLines(schema, { described: false })
  const words = [
    markedName(name, field, options),
    typeWord(name, spec, schema),
    valueWords(schema, '') || (name === 'currency' && 'like "usd"'),
    names.length > 0 && `{${names.join(', ')}}`,
    /\bexclusive\b/.test(spec.description) && 'exclusive',
  ]
  return `${words.filter(Boolean).join(' ')}${options.showsDefault ? defaultWords(spec) : ''}`
}

function schemaOf(field: Field, { written }: LineOptions): JsonSchema {
  return (written && field.spec.writtenJson) || valueSchema(field)
}

function markedName(name: string, field: Field, { written, marksRequired }: LineOptions): string {
  const said = written ? inputName(name, field) : nameWithInput(name, field)
  return marksRequired && field.spec.required ? `${said}*` : said
}

function nameWithInput(name: string, field: Field): string {
  const input = inputName(name, field)
  if (input === name || field.spec.use === 'input' || field.spec.write === 'never') return input
  return `${name}<-${input}`
}

function nullWords({ nullable, nullMeans = 'none' }: FieldSpec): string {
  if (!nullable) return ''
  return nullMeans === 'none' ? '?' : `?"${nullMeans}"`
}

function meaningOf(name: string, { description, type, json }: FieldSpec): string {
  const format = json?.format
  if (repeatsName(name, description)) return ''
  if (type === 'boolean') return description.replace(/^Whether /, '')
  if (format === 'date-time') return description.replace(/^When /, '')
  return type === 'integer' ? description.replace(/^Number of /, '') : description
}

/** Whether a description only repeats the name of its field: `Name of the task`, `Title`. */
function repeatsName(name: string, description: string): boolean {
  const own = name.split('_')
  const words =
    description
      .toLowerCase()
      .replace(/ of (?:the|an?|its?) [a-z]+$/, '')
      .match(/[a-z0-9]+/g) ?? []
  return words.every((word) => own.includes(word) || FILLER_WORDS.has(word))
}

const FILLER_WORDS = new Set([
  'a',
  'an',
  'the',
  'of',
  'its',
  'when',
  'it',
  'was',
  'is',
  'whether',
  'number',
  'id',
  'at',
])

function defaultWords({ fallback }: FieldSpec): string {
  if (fallback === undefined || fallback === null) return ''
  if (typeof fallback === 'object' && Object.keys(fallback).length === 0) return ''
  const text = JSON.stringify(fallback)
  return text.length > MAX_DEFAULT ? '' : `=${text}`
}

function expandWords(names: readonly string[] = []): string {
  return names.length > 0 ? `expand ${names.join(', ')}` : ''
}

/** Describes the properties of an object: `{rate: Percent}`. Properties that were described before become `as in FIELD`. */
function propertyWords({ relation }: FieldSpec, schema: JsonSchema, sameAs?: LineOptions['sameAs']): string {
  const words = relation ? [] : propertyLines(schema)
  if (words.length === 0) return ''
  const rest = words.filter((one) => sameAs?.(one) === undefined)
  const others = new Set(words.flatMap((one) => sameAs?.(one) ?? []))
  return `{${[...rest, ...[...others].map((other) => `as in ${other}`)].join('; ')}}`
}

/** Describes properties, also of an array's entries or a record's values: `likes: Number of likes`, or `type*: email|text`. */
export function propertyLines(schema: JsonSchema, { described = true } = {}): string[] {
  const { properties, required } = objectIn(schema)
  return Object.entries(properties).map(([name, { description, enum: values }]) => {
    if (described && typeof description === 'string') return `${name}: ${description}`
    const said = required.includes(name) ? `${name}*` : name
    return Array.isArray(values) ? `${said}: ${values.join('|')}` : said
  })
}

const LARGEST_INTEGER = 2_147_483_647

/** Returns the limits of a value in bodies: `<=500`, `1..730`. */
function limits({ relation }: FieldSpec, schema: JsonSchema): string {
  const { minimum, maximum, maxLength, maxItems, pattern } = schema
  const largest = maximum === LARGEST_INTEGER ? undefined : maximum
  const between = minimum === undefined && largest === undefined ? '' : `${minimum ?? ''}..${largest ?? ''}`
  const length = maxLength ?? (relation?.kind === 'one' ? undefined : maxItems)
  return [
    between,
    length === undefined ? '' : `<=${length}`,
    typeof pattern !== 'string' || pattern.length > MAX_PATTERN ? '' : `/${pattern}/`,
  ]
    .filter(Boolean)
    .join(' ')
}
