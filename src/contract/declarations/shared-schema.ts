import { z } from 'zod'

const made = new Map<string, z.ZodType>()

/**
 * The one schema that checks just this: schemas never change, and each takes kilobytes. All are kept, so checks that a request
 * brings do not belong here.
 */
export function sharedSchema<Schema extends z.ZodType>(checks: readonly unknown[], make: () => Schema): Schema {
  const key = checks.join('\n')
  const known = made.get(key)
  if (known) return known as Schema
  const schema = make()
  made.set(key, schema)
  return schema
}

const STORABLE = z
  .string()
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'must not contain NUL characters or lone surrogates')

const FILLED = STORABLE.trim().min(1, "can't be blank")

/** A text without what cannot be stored: PostgreSQL takes no NUL characters, and UTF-8 has no halves of surrogate pairs. */
export function storable() {
  return STORABLE
}

/** Such a text, trimmed, with something in it. */
export function filled() {
  return FILLED
}
