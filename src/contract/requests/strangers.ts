import { isPlainObject } from '../values/json.ts'

/**
 * The names inside a value that its field does not have, as dotted places such as `overrides.x.comment`; at most `most` of them.
 * `kept` is what the field's own checks left of `given`.
 */
export function strangersInside(given: unknown, kept: unknown, place: string, most: number): string[] {
  const found: string[] = []
  const waiting: [given: unknown, kept: unknown, place: string][] = [[given, kept, place]]
  for (let next = waiting.shift(); next && found.length < most; next = waiting.shift()) {
    const [from, to, at] = next
    if (Array.isArray(from) && Array.isArray(to))
      for (const [index, entry] of from.entries()) waiting.push([entry, to[index], `${at}.${index}`])
    else if (isPlainObject(from) && isPlainObject(to))
      for (const [name, value] of Object.entries(from))
        if (Object.hasOwn(to, name)) waiting.push([value, to[name], `${at}.${name}`])
        else found.push(`${at}.${name}`)
  }
  return found.slice(0, most)
}
