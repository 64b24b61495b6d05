import type { Context } from '../../../records/context.ts'
import { idsOfTags } from '../tag/ids.ts'
import { attachTags, detachTags, tagsByCustomer } from './tag_links.ts'

export type TagMode = 'add' | 'replace' | 'remove'

/**
 * Adds, replaces or removes tags given by name or id; unknown names are created, except to be removed. A 404 for an
 * unknown id. Says whether anything changed.
 */
export async function setTags(context: Context, customerId: string, given: string[], mode: TagMode): Promise<boolean> {
  const wanted = await idsOfTags(context, given, { known: mode === 'remove' })
  if (mode === 'add') return attachTags(context, customerId, wanted)
  if (mode === 'remove') return detachTags(context, customerId, wanted)
  const present = (await tagsByCustomer(context, [customerId])).get(customerId) ?? []
  const surplus = present.filter((id) => !wanted.includes(id))
  const detached = await detachTags(context, customerId, surplus)
  return (await attachTags(context, customerId, wanted)) || detached
}
