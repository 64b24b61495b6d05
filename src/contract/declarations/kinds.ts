import { z } from 'zod'
import { MAX_EMAIL, normalizeEmail } from '../values/email.ts'
import type { JsonSchema } from '../values/json.ts'
import { atMost } from '../values/text-length.ts'
import { currencies, isTimeZone, MAX_AMOUNT, toTimestamp } from '../values/values.ts'
import { isWebAddress } from '../values/web-address.ts'
import { type Collection, Field, type FieldSpec, type Leads, type Meaning, type Reference } from './field.ts'
import { jsonSchemaOf } from './json-schema.ts'
import { unitReminder } from './problems.ts'
import { filled, sharedSchema, storable } from './shared-schema.ts'

interface CommonFieldOptions {
  example?: unknown
  unit?: string | undefined
}
type TextFieldOptions = CommonFieldOptions & {
  min?: number
  max?: number
  pattern?: RegExp
  says?: string
  verbatim?: boolean
}
type NumberFieldOptions = CommonFieldOptions & { min?: number; max?: number }

export function field<Value, Means extends Meaning = null>(
  type: FieldSpec['type'],
  schema: z.ZodType,
  description: string,
  more: Partial<FieldSpec> = {},
) {
  return new Field<Value, false, 'stored', Means, 'always'>({
    type,
    schema,
    description,
    example: null,
    nullable: false,
    required: false,
    write: 'always',
    use: 'stored',
    ...more,
  })
}

/** Declares text of `min` (default 1) to `max` characters, trimmed unless `verbatim`. */
export function text(description: string, checks: TextFieldOptions = {}) {
  const { min = 1, max = 1000, pattern, says, verbatim, unit, example = 'Text' } = checks
  const schema = sharedSchema(['text', min, max, pattern, says, verbatim], () => textSchema({ ...checks, min, max }))
  const json = {
    type: 'string',
    ...(min > 0 && { minLength: min }),
    maxLength: max,
    ...(pattern && { pattern: pattern.source }),
  }
  return field<string>('string', schema, description, { example, json, unit })
}

function textSchema({ min, max, pattern, says, verbatim }: TextFieldOptions & { min: number; max: number }) {
  let schema = verbatim ? storable() : storable().trim()
  if (min === 1) schema = schema.min(1, "can't be blank")
  else if (min > 1) schema = schema.min(min, `is too short (minimum is ${min} characters)`)
  const [isWithin, error] = atMost(max)
  schema = schema.refine(isWithin, { error, abort: true })
  return pattern ? schema.regex(pattern, says ?? `must match ${pattern.source}`) : schema
}

/** Declares text that may be empty and is not trimmed, such as a description. */
export function longText(description: string, max: number, example = 'A few words.') {
  return text(description, { min: 0, max, verbatim: true, example })
}

const emailSchema = z.string().transform((given, context) => {
  const { address, problem } = normalizeEmail(given)
  if (address !== null) return address
  context.addIssue({ code: 'custom', message: problem })
  return z.NEVER
})

/** Declares an e-mail address, internationalised ones included (RFC 6531), normalised for storage and comparison. */
export function email(description: string, example = 'ada@example.com') {
  return field<string>('string', emailSchema, description, {
    example,
    json: { type: 'string', format: 'idn-email', maxLength: MAX_EMAIL },
  })
}

/** Declares an enum. `aliases` maps older, undocumented values that are still accepted: `{ recurring: 'subscription' }`. */
export function oneOf<const Values extends readonly [string, ...string[]]>(
  values: Values,
  description: string,
  { aliases = {} }: { aliases?: Record<string, Values[number]> } = {},
) {
  const known = (word: string) => (Object.hasOwn(aliases, word) ? aliases[word] : word)
  const schema = z.string().transform(known).pipe(z.enum(values))
  return field<Values[number]>('string', schema, description, {
    example: values[0],
    json: { type: 'string', enum: values },
  })
}

export function integer(
  description: string,
  { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER, unit, example = 1 }: NumberFieldOptions = {},
) {
  const schema = sharedSchema(['integer', min, max, unit], () =>
    z
      .number()
      .refine(Number.isInteger, { error: `must be an integer${unitReminder(unit)}`, abort: true })
      .min(min, `must be at least ${min}`)
      .max(max, `must be at most ${max}`),
  )
  const json = {
    type: 'integer',
    ...(min !== Number.MIN_SAFE_INTEGER && { minimum: min }),
    ...(max !== Number.MAX_SAFE_INTEGER && { maximum: max }),
  }
  return field<number>('integer', schema, description, { example, json, unit })
}

const positionSchema = z.unknown().transform((given, context) => {
  const place = Math.min(Number(given), Number.MAX_SAFE_INTEGER)
  if (Number.isInteger(place) && place >= 1) return place
  context.addIssue({ code: 'custom', message: place < 1 ? 'must be at least 1' : 'must be an integer' })
  return z.NEVER
})

/** Declares a position in a list, counted from 1. Any integer is accepted; a number past the end means the last position. */
export function position(description: string) {
  return field<number>('integer', positionSchema, description, {
    json: { type: 'integer', minimum: 1 },
    example: 1,
  }).lenient()
}

/** Declares an amount in minor units (cents for usd, whole yen for jpy). */
export function money(description: string, { min = 0, example = 2900 }: NumberFieldOptions = {}) {
  return integer(description, { min, max: MAX_AMOUNT, unit: 'minor units', example })
}

const currencySchema = z
  .string()
  // Only ASCII letters are converted, because lower-casing the Kelvin sign, for example, would give a k.
  .transform((code) => (/^[A-Za-z]{3}$/.test(code) ? code.toLowerCase() : code))
  .refine((code) => currencies.has(code), 'is not a known currency; use a lower-case ISO 4217 code such as usd')

export function currency(description: string) {
  const json = { type: 'string', pattern: '^[a-z]{3}$' }
  return field<string>('string', currencySchema, description, { example: 'usd', json, unit: 'lower-case ISO 4217' })
}

export function timeZone(description: string) {
  const schema = z.string().refine(isTimeZone, 'is not a known IANA time zone; use a name such as Europe/Berlin')
  return field<string>('string', schema, description, { example: 'UTC', json: { type: 'string' } })
}

const timestampSchema = z.string().transform((given, context) => {
  const moment = toTimestamp(given)
  if (moment !== null) return moment
  context.addIssue({
    code: 'custom',
    message: 'is not an ISO 8601 timestamp with Z or an offset; write it like 2026-01-15T10:30:00Z',
  })
  return z.NEVER
})

/** Declares a timestamp: accepts ISO 8601 with any offset, and returns UTC in whole seconds with `Z`. */
export function timestamp(description: string, example = '2026-01-15T10:30:00Z') {
  return field<string, 'moment'>('string', timestampSchema, description, {
    example,
    json: { type: 'string', format: 'date-time' },
  })
}

const flagSchema = z.boolean()

export function flag(description: string, example = false) {
  return field<boolean>('boolean', flagSchema, description, { example })
}

const MAX_ADDRESS = 2048

const webAddressSchema = filled()
  .max(MAX_ADDRESS, { error: `is too long (maximum is ${MAX_ADDRESS} characters)`, abort: true })
  .refine(isWebAddress, 'is not a URL; write it like https://shop.example/thanks')

export function webAddress(description: string, example: string) {
  const json = { type: 'string', format: 'uri', maxLength: MAX_ADDRESS }
  return field<string>('string', webAddressSchema, description, { example, json })
}

const servedAddressSchema = z.string()

/** Declares a URL of this service that anyone who knows it can open. */
export function servedAddress(description: string, example: string) {
  const json = { type: 'string', format: 'uri', maxLength: MAX_ADDRESS }
  return field<string>('string', servedAddressSchema, description, { example, json, served: true }).derived()
}

export function texts(description: string, { max = 20, each = 200, example = ['Text'] as unknown } = {}) {
  const schema = sharedSchema(['texts', each], () => z.array(filled().refine(...atMost(each))))
  const json = { type: 'array', items: { type: 'string', minLength: 1, maxLength: each }, maxItems: max }
  return field<string[]>('array', schema, description, { example, json })
}

const metadataSchema = z.record(
  storable().min(1, 'has a blank key').max(40, 'has a key over 40 characters'),
  storable()
    .refine(...atMost(500))
    .nullable(),
)

/** Declares metadata: text values for the merchant's own use. Updates merge it, and null removes a key. */
export function metadata() {
  const json = (value: JsonSchema) => ({ type: 'object', additionalProperties: value, maxProperties: 50 })
  const description = 'Up to 50 keys (40 characters) with text values (500); changes merge, null removes a key'
  return field<Record<string, string>>('object', metadataSchema, description, {
    example: { campaign: 'spring' },
    json: json({ type: 'string', maxLength: 500 }),
    writtenJson: json({ type: ['string', 'null'], maxLength: 500 }),
  }).default({})
}

interface StructureOptions<Value> extends Pick<CommonFieldOptions, 'unit'> {
  /** The documented JSON Schema, if it says more than the one derived from the checks. */
  json?: JsonSchema
  written?: z.ZodType<Value>
  /** The maximum number of entries or keys, checked before any entry is validated. */
  max?: number
}

export function structure<Value>(
  type: 'array' | 'object' | 'number',
  schema: z.ZodType<Value>,
  description: string,
  example: NoInfer<Value>,
  { unit, json, written, max }: StructureOptions<Value> = {},
) {
  const bound = max !== undefined && { [type === 'array' ? 'maxItems' : 'maxProperties']: max }
  const documented = json || bound || written ? { json: { ...(json ?? jsonSchemaOf(schema)), ...bound } } : {}
  const writtenJson = written && { writtenJson: jsonSchemaOf(written) }
  return field<Value>(type, written ?? schema, description, { example, unit, ...documented, ...writtenJson })
}

const idSchema = filled().max(200, 'is not an id')
const idsSchema = z.array(idSchema)
const collectionSchema = z.array(z.unknown())

/** Declares a reference to another resource. Bodies also accept the resource's slug, and responses may show the slug. */
export function reference<const Noun extends string>(
  noun: Noun,
  description: string,
  example = `${noun} id`,
  { collapsedTo }: { collapsedTo?: 'slug' } = {},
): Reference<string, Noun, 'one'> {
  const relation = { noun, kind: 'one', expandable: false, ...(collapsedTo && { collapsedTo }) } as const
  return field('string', idSchema, description, {
    example,
    relation,
    json: { type: 'string' },
  })
}

/** Declares a list of references. Bodies also accept slugs, and the operation's code removes duplicates. */
export function references<const Noun extends string>(
  noun: Noun,
  description: string,
  { max = 100, example = [] as string[] } = {},
): Reference<string[], Noun, 'many'> {
  const relation = { noun, kind: 'many', expandable: false } as const
  return field('array', idsSchema, description, {
    example,
    relation,
    json: { type: 'array', items: { type: 'string' }, maxItems: max },
  })
}

/** Declares the resources that belong to this one. Responses contain them as whole objects, always or only when expanded. */
export function collection<const Noun extends string>(noun: Noun, description: string): Collection<Noun, false>
export function collection<const Noun extends string>(
  noun: Noun,
  description: string,
  options: { onlyExpanded: true },
): Collection<Noun, true>
export function collection(noun: string, description: string, { onlyExpanded = false } = {}) {
  const relation = { noun, kind: 'collection', onlyExpanded, expandable: onlyExpanded } as const
  return field<unknown[], Leads>('array', collectionSchema, description, { example: [], relation }).derived()
}
