import type { z } from 'zod'
import { ERRORS, errorType } from '../declarations/errors.ts'
import type { Field, Fields } from '../declarations/field.ts'
import { jsonSchemaOf } from '../declarations/json-schema.ts'
import { exampleId, inputName, type Noun } from '../declarations/noun.ts'
import type { OperationDeclaration } from '../declarations/operation.ts'
import type { JsonSchema } from '../values/json.ts'
import { keysOf } from '../values/keys.ts'

export type FindNoun = (name: string) => Noun | undefined

/** Returns the name of a noun's schema, such as `PriceVariant` for `price_variant`. */
export function schemaName(name: string): string {
  return name.replace(/(^|_)([a-z0-9])/g, (_, _separator, letter: string) => letter.toUpperCase())
}

/** Returns the description with the unit and the meaning of null: `Stock left (units); null: unlimited`. */
function describeField({ spec: { description, unit, nullable, nullMeans = NULL_MEANS_NONE } }: Field): string {
  const counted =
    unit === undefined || description.toLowerCase().includes(unit.toLowerCase())
      ? description
      : `${description} (${unit})`
  return nullable && nullMeans !== NULL_MEANS_NONE ? `${counted}; null: ${nullMeans}` : counted
}

/** The usual meaning of null, which descriptions omit. */
const NULL_MEANS_NONE = 'none'

/** A cache, because converting the checks of a field is slow. */
const convertedSchemas = new WeakMap<z.ZodType, JsonSchema>()

/** Returns the JSON Schema of a field's value, without null. */
export function valueSchema({ spec }: Pick<Field, 'spec'>): JsonSchema {
  if (spec.json) return spec.json
  const known = convertedSchemas.get(spec.schema)
  if (known) return known
  const schema = jsonSchemaOf(spec.schema)
  convertedSchemas.set(spec.schema, schema)
  return schema
}

function shownSchema(field: Field, findNoun: FindNoun): JsonSchema {
  const { example, nullable, relation } = field.spec
  const described = { description: describeField(field), ...(example != null && !relation && { examples: [example] }) }
  const target = relation && findNoun(relation.noun)
  if (!target) return { ...nullableSchema(valueSchema(field), nullable), ...described }
  const whole = { $ref: `#/components/schemas/${schemaName(target.name)}` }
  if (relation.kind === 'collection') return { type: 'array', items: whole, ...described }
  const one = relation.expandable ? { anyOf: [{ type: 'string' }, whole] } : { type: 'string' }
  if (relation.kind === 'many') return { type: 'array', items: one, ...described }
  const withNull = relation.expandable
    ? { anyOf: [{ type: 'string' }, whole, ...(nullable ? [{ type: 'null' }] : [])] }
    : nullableSchema(one, nullable)
  return { ...withNull, ...described }
}

export function nounSchema(noun: Noun, findNoun: FindNoun): JsonSchema {
  const shown = Object.entries(noun.fields).filter(([, field]) => field.spec.use !== 'input')
  return {
    type: 'object',
    description: noun.description,
    properties: Object.fromEntries(
      shown.map(([name, field]) => [
        name,
        name === 'object'
          ? { const: noun.name, type: 'string', description: field.spec.description }
          : shownSchema(field, findNoun),
      ]),
    ),
    required: shown.filter(([, field]) => !field.spec.relation?.onlyExpanded).map(([name]) => name),
  }
}

/** Returns the schema of an operation's body without the optional wrapper key. */
export function bodySchema(operation: OperationDeclaration): JsonSchema | null {
  return operation.body && writtenObjectSchema(operation.body, operation.bodyMode)
}

export function writtenObjectSchema(declared: Fields, mode: OperationDeclaration['bodyMode'] = 'create'): JsonSchema {
  const fields = Object.entries(declared)
  const required = mode === 'create' ? fields.filter(([, field]) => field.spec.required) : []
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [inputName(name, field), writtenSchema(field, mode)])),
    ...(required.length > 0 && { required: required.map(([name, field]) => inputName(name, field)) }),
  }
}

function writtenSchema(field: Field, mode: OperationDeclaration['bodyMode']): JsonSchema {
  const { nullable, fallback, writtenJson } = field.spec
  const schema = { ...nullableSchema(writtenJson ?? valueSchema(field), nullable), description: describeField(field) }
  return mode === 'create' && fallback !== undefined ? { ...schema, default: fallback } : schema
}

function nullableSchema(schema: JsonSchema, nullable: boolean): JsonSchema {
  if (!nullable) return schema
  if (schema.enum) return { ...schema, type: [schema.type, 'null'], enum: [...(schema.enum as unknown[]), null] }
  return typeof schema.type === 'string'
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] }
}

/** Returns a valid example body: the required fields of a create or the first field of an update, and the declared example values. */
export function exampleBody(operation: OperationDeclaration, findNoun: FindNoun): Record<string, unknown> | null {
  if (!operation.body) return null
  const fields = Object.entries(operation.body)
  const chosen =
    operation.bodyMode === 'create' ? fields.filter(([, field]) => field.spec.required) : fields.slice(0, 1)
  const examples = chosen.map(([name, field]) => [inputName(name, field), writtenExample(field, findNoun)])
  return { ...Object.fromEntries(examples), ...operation.example }
}

function writtenExample({ spec }: Field, findNoun: FindNoun): unknown {
  const target = spec.relation?.kind === 'one' ? findNoun(spec.relation.noun) : undefined
  return target?.prefix ? exampleId(target.prefix) : spec.example
}

export function exampleOf(noun: Noun, findNoun: FindNoun): Record<string, unknown> {
  const shown = Object.entries(noun.fields).filter(
    ([, field]) => field.spec.use !== 'input' && !field.spec.relation?.onlyExpanded,
  )
  const examples = shown.map(([name, field]) => [
    name,
    name === 'id' && noun.prefix ? exampleId(noun.prefix) : exampleValue(field, findNoun),
  ])
  return { ...Object.fromEntries(examples), ...noun.example }
}

export function exampleAnswer({ kind, noun, answersList, path }: OperationDeclaration, findNoun: FindNoun): object {
  const whole = exampleOf(noun, findNoun)
  if (answersList) return { object: 'list', data: [whole], has_more: false, url: `/v1${path}` }
  return kind === 'delete' ? { id: whole.id, object: noun.name, deleted: true } : whole
}

function exampleValue({ spec }: Field, findNoun: FindNoun): unknown {
  const target = spec.relation && findNoun(spec.relation.noun)
  if (!target?.prefix) return spec.example
  if (spec.relation!.kind === 'one') return spec.nullable ? null : exampleId(target.prefix)
  return []
}

export const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'What went wrong, where, and how to fix it.',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      description: 'The error, or all errors in the body',
      required: ['type', 'code', 'message', 'doc_url'],
      properties: {
        type: {
          type: 'string',
          enum: [...new Set(keysOf(ERRORS).map(errorType))],
          description: 'The kind of error',
        },
        code: { type: 'string', enum: Object.keys(ERRORS), description: 'The error code' },
        message: { type: 'string', description: 'A message for people' },
        param: {
          type: 'string',
          description: 'The invalid or missing parameter; the first if there are several',
        },
        errors: {
          type: 'object',
          description: 'Messages by body field; nested fields have dotted names, such as tags.0',
          additionalProperties: { type: 'array', items: { type: 'string' } },
        },
        doc_url: { type: 'string', description: 'The documentation of this code' },
      },
    },
  },
}
