import { isPlainObject } from '../values/json.ts'

/**
 * The names inside a value that its field does not have, as dotted places such as `overrides.x.comment`; at most `most` of them.
 * `kept` is what the field's own checks left of `given`.
 */
export function strangersInside(given: unknown, kept: unknown, place: string, most: number): string[] {
  const found: string[] = []
  const waiting: [given: unknown, kept: unknown, place: string][] = [[given, kept, place]]
  // The list grows while it is walked: taking from its front would move what may be hundreds of thousands of entries.
  for (const [from, to, at] of waiting) {
    if (found.length >= most) break
    if (from === to) continue
    if (Array.isArray(from) && Array.isArray(to))
      for (const [index, entry] of from.entries()) waiting.push([entry, to[index], `${at}.${index}`])
    else if (isPlainObject(from) && isPlainObject(to))
      for (const [name, value] of Object.entries(from))
        if (Object.hasOwn(to, name)) waiting.push([value, to[name], `${at}.${name}`])
        else found.push(`${at}.${name}`)
  }
  return found.slice(0, most)
}
