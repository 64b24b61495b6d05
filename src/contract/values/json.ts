export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export type JsonSchema = { [key: string]: unknown }

/** Returns the type's name in JSON Schema. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** Returns JSON text that does not depend on the order of keys in objects. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    isPlainObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )
}

/** Parses text that may not be JSON. Returns `otherwise` if it is not. */
export function jsonIn<Value = unknown>(text: string, otherwise?: Value): Value | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise
  }
}

export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** Copies a value through JSON text, which drops `undefined` and shared references. */
export function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value))
}

export function withArticle(type: string): string {
  if (type === 'null') return 'null'
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}
