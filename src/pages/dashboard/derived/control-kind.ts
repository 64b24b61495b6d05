import type { Field } from '../../../contract/declarations/field.ts'
import { valueSchema } from '../../../contract/documents/schemas.ts'
import type { JsonSchema } from '../../../contract/values/json.ts'

/** The kind of form control for a JSON Schema, so that people do not have to write JSON. */
export type Shape =
  | { kind: 'group'; parts: ShapePart[] }
  | { kind: 'groups'; parts: ShapePart[]; most: number }
  | { kind: 'choice'; values: string[]; optional: boolean }
  | { kind: 'choices'; values: string[] }
  | { kind: 'flag'; fallback: boolean }
  | { kind: 'number' | 'texts' | 'rich' | 'long' | 'moment' | 'address' | 'email' | 'text' | 'hidden' }

export type Listed = Extract<Shape, { kind: 'groups' }>

export interface ShapePart {
  name: string
  required: boolean
  shape: Shape
}

/** The maximum number of entries if the schema of a list sets none. */
const MOST_ENTRIES = 100
/** The maximum length of a text that gets a one-line input. */
const ONE_LINE = 300

/** Returns the shape of a field that needs several inputs, or null for other fields and free-form objects. */
export function shapeOf({ spec }: Field): Shape | null {
  if (spec.type !== 'array' && spec.type !== 'object') return null
  const shape = shapeOfSchema(spec.writtenJson ?? valueSchema({ spec }))
  return shape && ['group', 'groups', 'choices'].includes(shape.kind) ? shape : null
}

export function shapeOfSchema(schema: JsonSchema): Shape | null {
  const json = withoutNull(schema)
  const type = typeOf(json)
  if (schema.readOnly === true) return { kind: 'hidden' }
  if (Array.isArray(json.enum)) return choice(json.enum, isNullable(schema) || json.default !== undefined)
  if (type === 'object') return group(json)
  if (type === 'array') return list(json)
  if (type === 'boolean') return { kind: 'flag', fallback: schema.default === true }
  if (type === 'integer' || type === 'number') return { kind: 'number' }
  return type === 'string' ? { kind: textKind(json) } : null
}

function group(json: JsonSchema): Shape | null {
  const properties = json.properties as Record<string, JsonSchema> | undefined
  if (!properties || Object.keys(properties).length === 0) return null
  const required = (json.required as string[] | undefined) ?? []
  const parts = Object.entries(properties).flatMap(([name, schema]) => {
    const shape = name === 'id' ? ({ kind: 'hidden' } as const) : shapeOfSchema(schema)
    const isSet = name === 'position'
    return shape && !isSet ? [{ name, required: required.includes(name), shape }] : []
  })
  return { kind: 'group', parts }
}

function list(json: JsonSchema): Shape | null {
  const items = (json.items ?? {}) as JsonSchema
  if (Array.isArray(items.enum)) return { kind: 'choices', values: items.enum as string[] }
  if (typeOf(withoutNull(items)) === 'string') return { kind: 'texts' }
  const inner = shapeOfSchema(items)
  if (inner?.kind !== 'group') return null
  return { kind: 'groups', parts: inner.parts, most: Number(json.maxItems ?? MOST_ENTRIES) }
}

function choice(values: unknown[], optional: boolean): Shape {
  return { kind: 'choice', values: values.filter((value) => value !== null).map(String), optional }
}

function textKind(json: JsonSchema) {
  if (json.contentMediaType === 'text/html') return 'rich'
  if (json.format === 'date-time') return 'moment'
  if (json.format === 'uri') return 'address'
  if (json.format === 'idn-email') return 'email'
  return Number(json.maxLength ?? 0) > ONE_LINE ? 'long' : 'text'
}

function typeOf({ type }: JsonSchema): unknown {
  return Array.isArray(type) ? type.find((one) => one !== 'null') : type
}

function isNullable({ type, anyOf }: JsonSchema): boolean {
  const kinds = Array.isArray(type) ? type : ((anyOf as JsonSchema[] | undefined) ?? []).map((one) => one.type)
  return kinds.includes('null')
}

function withoutNull(schema: JsonSchema): JsonSchema {
  const others = (schema.anyOf as JsonSchema[] | undefined)?.filter(({ type }) => type !== 'null') ?? []
  return others.length === 1
    ? { ...others[0], ...(schema.default !== undefined && { default: schema.default }) }
    : schema
}
