import { isPlainObject } from '../values/json.ts'

/**
 * Returns up to `most` paths, such as `overrides.x.comment`, of names that are in `given` but that the field's checks removed from
 * `kept`.
 */
export function strangersInside(given: unknown, kept: unknown, place: string, most: number): string[] {
  const found: string[] = []
  const waiting: [given: unknown, kept: unknown, place: string][] = [[given, kept, place]]
  // The list grows during the iteration. Shifting its head instead would move up to hundreds of thousands of entries each time.
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
