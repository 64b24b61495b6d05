import type { OperationDeclaration } from '../declarations/operation.ts'
import { MAX_ENTRIES, MAX_VALUES, type Parameter } from '../declarations/parameter.ts'
import type { JsonSchema } from '../values/json.ts'
import { parametersOf } from './tools.ts'

/** Returns the path and query parameters. Those with keys in brackets use the style `deepObject` and share their schemas. */
export function openapiParameters(operation: OperationDeclaration, expandable: string[]): JsonSchema[] {
  return parametersOf(operation, expandable).map((shown) => {
    const name = shown.in === 'query' ? String(shown.name) : ''
    const parameter = Object.hasOwn(operation.query, name) ? operation.query[name]! : undefined
    if (parameter?.form === 'several')
      return { ...shown, schema: { ...(shown.schema as JsonSchema), maxItems: MAX_VALUES } }
    const schema = parameter && sharedSchema(parameter)
    if (!schema) return shown
    return { ...shown, style: 'deepObject', explode: true, schema: { $ref: `#/components/schemas/${schema}` } }
  })
}

function sharedSchema({ form, spec }: Parameter): keyof typeof FILTER_SCHEMAS | null {
  if (form === 'entries') return 'MetadataFilter'
  if (form === 'bounds') return 'TimestampRange'
  if (form !== 'range') return null
  return spec.type === 'integer' ? 'IntegerRange' : 'NumberRange'
}

export const FILTER_SCHEMAS = {
  IntegerRange: numbers('integer'),
  NumberRange: numbers('number'),
  TimestampRange: {
    ...bounds({ type: 'string', examples: ['2026-01-15T10:30:00Z', '2026-01-15'] }),
    description:
      'Times within all given bounds, each an ISO 8601 timestamp or a date, which means 00:00 UTC: `created_at[gte]=2026-01-15`. Rows with null never match.',
  },
  MetadataFilter: {
    type: 'object',
    maxProperties: MAX_ENTRIES,
    additionalProperties: { type: 'string', maxLength: 500 },
    description: 'Keys and the exact value each must have: `metadata[campaign]=spring`.',
  },
}

function numbers(type: 'integer' | 'number'): JsonSchema {
  return {
    anyOf: [{ type, description: 'Exactly this value' }, bounds({ type })],
    description:
      'An exact value (`amount=2900`), or numbers within all given bounds (`amount[gte]=1000&amount[lt]=5000`). Rows with null never match.',
  }
}

function bounds(value: JsonSchema): JsonSchema {
  return {
    type: 'object',
    additionalProperties: false,
    description: 'Values within all given bounds',
    properties: {
      gt: { ...value, description: 'Greater than this value' },
      gte: { ...value, description: 'Greater than or equal to this value' },
      lt: { ...value, description: 'Less than this value' },
      lte: { ...value, description: 'Less than or equal to this value' },
    },
  }
}
