import type { Noun } from '../contract/declarations/noun.ts'
import { newIdAt } from '../contract/values/ids.ts'

/** An id of a noun as it would have been made at a moment: lists that show the newest first show it there. */
export function idAt({ prefix, name }: Pick<Noun, 'prefix' | 'name'>, timestamp: string): string {
  return newIdAt(prefix ?? name, Date.parse(timestamp))
}
