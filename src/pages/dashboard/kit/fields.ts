import type { FieldSpec } from '../../../contract/declarations/field.ts'
import { isMoment } from '../../../contract/declarations/parameter.ts'

/** The kind of a field, which determines how the field is displayed and entered. */
export type FieldKind =
  | 'money'
  | 'moment'
  | 'choice'
  | 'flag'
  | 'number'
  | 'reference'
  | 'references'
  | 'collection'
  | 'texts'
  | 'address'
  | 'email'
  | 'long'
  | 'rich'
  | 'structure'
  | 'text'

/** The maximum length of a text with a one-line input. Texts with a pattern have one at any length. */
const ONE_LINE = 300

export function kindOf(spec: FieldSpec): FieldKind {
  const { relation, type, unit, json, rich } = spec
  if (relation) return RELATIONS[relation.kind]
  if (rich) return 'rich'
  if (unit === 'minor units') return 'money'
  if (type === 'boolean') return 'flag'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'array') return isListOfTexts(spec) ? 'texts' : 'structure'
  if (type === 'object') return 'structure'
  return isMoment(spec) ? 'moment' : textKind(json ?? {})
}

const RELATIONS = { one: 'reference', many: 'references', collection: 'collection' } as const

function textKind(json: Record<string, unknown>): FieldKind {
  if (Array.isArray(json.enum)) return 'choice'
  if (json.format === 'uri') return 'address'
  if (json.format === 'idn-email') return 'email'
  return Number(json.maxLength ?? 0) > ONE_LINE && json.pattern === undefined ? 'long' : 'text'
}

function isListOfTexts({ json }: FieldSpec): boolean {
  const items = json?.items as { type?: unknown } | undefined
  return items?.type === 'string'
}

export function choicesOf({ json }: FieldSpec): string[] {
  return (json?.enum as string[] | undefined) ?? []
}

/** Returns whether the value is an object with free keys and text values, such as metadata. */
export function isPairs(json: FieldSpec['json']): boolean {
  return (json?.additionalProperties as { type?: unknown } | undefined)?.type === 'string'
}
