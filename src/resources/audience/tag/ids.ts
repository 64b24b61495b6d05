import { invalid, missingResource } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { findRows } from '../../../records/records.ts'
import { MAX_TAG_NAME, Tag } from './tag.ts'
import { addTag, tagNamed } from './write.ts'

/**
 * Returns the ids of tags, given by name or id. Unknown names are created, or ignored if `known` is true. Throws a 404 for an unknown
 * id, and a 422 for a name that is too long.
 */
export async function idsOfTags(context: Context, given: string[], { known = false } = {}): Promise<string[]> {
  requireTagNames(given)
  const byId = await findRows(context, Tag, given.filter(Tag.isId))
  const ids: string[] = []
  for (const [index, one] of given.entries()) {
    if (!Tag.isId(one)) ids.push(...(await idOfName(context, one, known)))
    else if (byId.has(one)) ids.push(one)
    else throw missingResource('tag', `tags.${index}`)
  }
  return [...new Set(ids)]
}

/** Throws a 422 that lists each name that is too long. */
export function requireTagNames(given: readonly string[]): void {
  const wrong = given.flatMap((one, index) => (!Tag.isId(one) && one.length > MAX_TAG_NAME ? [`tags.${index}`] : []))
  const problem = `is too long (maximum is ${MAX_TAG_NAME} characters)`
  if (wrong.length > 0) throw invalid(Object.fromEntries(wrong.map((place) => [place, [problem]])))
}

async function idOfName(context: Context, name: string, known: boolean): Promise<string[]> {
  const existing = await tagNamed(context, name)
  if (existing) return [existing.id]
  return known ? [] : [(await addTag(context, { name })).id]
}
