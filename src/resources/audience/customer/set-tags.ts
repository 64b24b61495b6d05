import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { idsOfTags } from '../tag/ids.ts'
import { Customer, type CustomerRow } from './customer.ts'
import { attachTags, detachTags, tagsByCustomer } from './tag-links.ts'

type TagMode = 'add' | 'replace' | 'remove'

/**
 * Takes names or ids of tags. Unknown names are created, except for removal. Throws a 404 for an unknown id. Returns whether tags
 * changed.
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

export async function tagCustomer(
  context: Context,
  customer: CustomerRow,
  { tags, mode }: { tags: string[]; mode: TagMode },
): Promise<CustomerRow> {
  if (!(await setTags(context, customer.id, tags, mode))) return customer
  const tagged = await changeRow(context, Customer, customer, { updated_at: context.now })
  context.emit(Customer, 'updated', tagged)
  return tagged
}
