import type { CreateInput, Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import { insertUnique } from '../../../records/unique.ts'
import { Customer } from './customer.ts'
import { fillNames } from './names.ts'
import { setTags } from './set_tags.ts'

export async function createCustomer(
  context: Context,
  input: CreateInput<typeof Customer>,
): Promise<Row<typeof Customer>> {
  const { tags = [], ...values } = fillNames(input)
  const lead = { ...values, customer_type: 'lead' as const, orders_count: 0, total_spend: 0 }
  const customer = await insertUnique(context, Customer, lead, 'email', 'email')
  await setTags(context, customer.id, tags, 'replace')
  context.emit(Customer, 'created', customer)
  context.emit(Customer, 'lead.created', customer)
  return customer
}
