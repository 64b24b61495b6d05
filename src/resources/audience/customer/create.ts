import type { CreateInput } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { insertUnique } from '../../../records/unique.ts'
import { changedPlace } from '../../sales/checkout/tax/given.ts'
import { NO_PLACE } from '../../sales/checkout/tax/terms.ts'
import { Customer, type CustomerRow } from './customer.ts'
import { fillNames } from './names.ts'
import { setTags } from './set_tags.ts'

/** Makes a lead. Where it is not `announced` yet, `announceLead` does that later. */
export async function createCustomer(
  context: Context,
  input: CreateInput<typeof Customer>,
  { announced = true }: { announced?: boolean } = {},
): Promise<CustomerRow> {
  const { tags = [], ...values } = fillNames(input)
  changedPlace(NO_PLACE, values)
  const counted = { orders_count: 0, total_spend: 0 }
  const lead = { ...values, ...counted, customer_type: 'lead' as const, lead_announced: announced }
  const customer = await insertUnique(context, Customer, lead, 'email', 'email')
  await setTags(context, customer.id, tags, 'replace')
  context.emit(Customer, 'created', customer)
  if (announced) context.emit(Customer, 'lead.created', customer)
  return customer
}

/** Announces a lead that was made by a submission which waited for its confirmation. Does nothing the second time. */
export async function announceLead(context: Context, customer: CustomerRow): Promise<void> {
  if (customer.lead_announced) return
  const announced = await changeRow(context, Customer, customer, { lead_announced: true })
  if (announced.customer_type === 'lead') context.emit(Customer, 'lead.created', announced)
}
