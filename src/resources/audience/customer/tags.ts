import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { Customer, type CustomerRow } from './customer.ts'
import { setTags, type TagMode } from './set_tags.ts'

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
