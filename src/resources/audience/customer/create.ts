import type { CreateInput, Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import { insertRow } from '../../../records/records.ts'
import { Customer } from './customer.ts'
import { fillNames } from './names.ts'
import { setTags } from './set_tags.ts'
import { requireUniqueEmail } from './unique_email.ts'

export async function createCustomer(
  context: Context,
  input: CreateInput<typeof Customer>,
): Promise<Row<typeof Customer>> {
  await requireUniqueEmail(context, input.email)
  const { tags = [], ...values } = fillNames(input)
  const customer = await insertRow(context, Customer, {
    ...values,
    customer_type: 'lead',
    orders_count: 0,
    total_spend: 0,
  })
  await setTags(context, customer.id, tags, 'replace')
  context.emit(Customer, 'created', customer)
  context.emit(Customer, 'lead.created', customer)
  return customer
}
