import { z } from 'zod'
import type { JsonSchema } from '../values/json.ts'

/** What JSON Schema can say of what a schema takes. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  return json
}
