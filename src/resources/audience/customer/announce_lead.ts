import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { Customer, type CustomerRow } from './customer.ts'

/** Announces a lead that was made by a submission which waited for its confirmation. Does nothing the second time. */
export async function announceLead(context: Context, customer: CustomerRow): Promise<void> {
  if (customer.lead_announced) return
  const announced = await changeRow(context, Customer, customer, { lead_announced: true })
  if (announced.customer_type === 'lead') context.emit(Customer, 'lead.created', announced)
}
