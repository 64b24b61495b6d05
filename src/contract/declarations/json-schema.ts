import { z } from 'zod'
import type { JsonSchema } from '../values/json.ts'

/** The result omits checks that JSON Schema cannot express. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  return json
}
