import { invalid, missingResource } from '../../../contract/errors.ts'
import type { Context } from '../../../records/context.ts'
import { findRows } from '../../../records/records.ts'
import { addTag } from '../tag/create.ts'
import { tagNamed } from '../tag/named.ts'
import { MAX_TAG_NAME, Tag } from '../tag/tag.ts'
import { attachTags, detachTags, tagsByCustomer } from './tag_links.ts'

export type TagMode = 'add' | 'replace' | 'remove'

/**
 * Adds, replaces or removes tags given by name or id; unknown names are created, except to be removed. A 404 for an
 * unknown id. Says whether anything changed.
 */
export async function setTags(context: Context, customerId: string, given: string[], mode: TagMode): Promise<boolean> {
  const wanted = [...new Set(await tagIds(context, given, mode))]
  if (mode === 'add') return attachTags(context, customerId, wanted)
  if (mode === 'remove') return detachTags(context, customerId, wanted)
  const present = (await tagsByCustomer(context, [customerId])).get(customerId) ?? []
  const surplus = present.filter((id) => !wanted.includes(id))
  const detached = await detachTags(context, customerId, surplus)
  return (await attachTags(context, customerId, wanted)) || detached
}

async function tagIds(context: Context, given: string[], mode: TagMode): Promise<string[]> {
  const byId = await findRows(context, Tag, given.filter(Tag.isId))
  const ids: string[] = []
  for (const [index, one] of given.entries()) {
    if (!Tag.isId(one)) ids.push(...(await idOfName(context, one, index, mode)))
    else if (byId.has(one)) ids.push(one)
    else throw missingResource('tag', `tags.${index}`)
  }
  return ids
}

/** The id of the tag of a name, which is made unless tags are to be removed. */
async function idOfName(context: Context, name: string, index: number, mode: TagMode): Promise<string[]> {
  if (name.length > MAX_TAG_NAME)
    throw invalid({ [`tags.${index}`]: [`is too long (maximum is ${MAX_TAG_NAME} characters)`] })
  const known = await tagNamed(context, name)
  if (known) return [known.id]
  return mode === 'remove' ? [] : [(await addTag(context, { name })).id]
}
