import { invalid, missingResource } from '../../../contract/errors.ts'
import type { Context } from '../../../records/context.ts'
import { findRows } from '../../../records/records.ts'
import { addTag } from './create.ts'
import { tagNamed } from './named.ts'
import { MAX_TAG_NAME, Tag } from './tag.ts'

/**
 * Ids of tags given by name or id in a field `tags`, without repetition. Unknown names are made, or left out where `known` is
 * true. A 404 for an unknown id, a 422 for a name that is too long.
 */
export async function idsOfTags(context: Context, given: string[], { known = false } = {}): Promise<string[]> {
  const byId = await findRows(context, Tag, given.filter(Tag.isId))
  const ids: string[] = []
  for (const [index, one] of given.entries()) {
    if (!Tag.isId(one)) ids.push(...(await idOfName(context, one, index, known)))
    else if (byId.has(one)) ids.push(one)
    else throw missingResource('tag', `tags.${index}`)
  }
  return [...new Set(ids)]
}

async function idOfName(context: Context, name: string, index: number, known: boolean): Promise<string[]> {
  if (name.length > MAX_TAG_NAME)
    throw invalid({ [`tags.${index}`]: [`is too long (maximum is ${MAX_TAG_NAME} characters)`] })
  const existing = await tagNamed(context, name)
  if (existing) return [existing.id]
  return known ? [] : [(await addTag(context, { name })).id]
}
