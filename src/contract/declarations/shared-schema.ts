import { z } from 'zod'

const schemas = new Map<string, z.ZodType>()

/** Returns one schema for equal checks, because each takes kilobytes. It is never evicted: do not pass checks from requests. */
export function sharedSchema<Schema extends z.ZodType>(checks: readonly unknown[], make: () => Schema): Schema {
  const key = checks.join('\n')
  const known = schemas.get(key)
  if (known) return known as Schema
  const schema = make()
  schemas.set(key, schema)
  return schema
}

const STORABLE = z
  .string()
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'must not contain NUL characters or lone surrogates')

const FILLED = STORABLE.trim().min(1, "can't be blank")

/** Returns a schema for text that databases can store: PostgreSQL rejects NUL characters, and UTF-8 has no lone surrogates. */
export function storable() {
  return STORABLE
}

export function filled() {
  return FILLED
}
