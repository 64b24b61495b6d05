import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { Customer } from './customer.ts'
import { setTags, type TagMode } from './set_tags.ts'

export async function tagCustomer(
  context: Context,
  customer: Row<typeof Customer>,
  { tags, mode }: { tags: string[]; mode: TagMode },
): Promise<Row<typeof Customer>> {
  if (!(await setTags(context, customer.id, tags, mode))) return customer
  const tagged = await changeRow(context, Customer, customer, { updated_at: context.now })
  context.emit(Customer, 'updated', tagged)
  return tagged
}
