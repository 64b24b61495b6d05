import { missingParameter } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { Customer, type CustomerRow } from '../../audience/customer/customer.ts'
import { customerWithEmail, findOrMakeCustomer } from '../checkout/buyer.ts'
import { NO_PLACE, placeOf, type TaxPlace } from '../checkout/tax/terms.ts'
import type { Invoice } from './invoice.ts'

type Input = CreateInput<typeof Invoice>

/** The name and e-mail address are those shown on the invoice, and may differ from the customer's. */
export interface BillTo {
  customer: string
  customer_name: string | null
  email_address: string
}

/** Returns the given customer, or finds the customer with the e-mail address, or else creates a lead. */
export async function billTo(
  context: Context,
  { customer: id, customer_name, email_address }: Input,
  place: TaxPlace,
): Promise<BillTo> {
  requireBilled({ customer: id, email_address })
  const customer = id
    ? await requireRow(context, Customer, id, 'customer')
    : await customerOf(context, email_address!, customer_name ?? null, place)
  return {
    customer: customer.id,
    customer_name: customer_name ?? customer.name,
    email_address: email_address ?? customer.email,
  }
}

export async function placeOfBilled(context: Context, { customer, email_address }: Input): Promise<TaxPlace> {
  requireBilled({ customer, email_address })
  const known = customer
    ? await requireRow(context, Customer, customer, 'customer')
    : await customerWithEmail(context, email_address!)
  return known ? placeOf(known) : NO_PLACE
}

export function requireBilled({ customer, email_address }: Pick<Partial<Input>, 'customer' | 'email_address'>): void {
  if (!customer && !email_address) throw missingParameter('email_address')
}

/** A new customer is a lead until the invoice is paid, so `lead.created` is emitted. */
async function customerOf(context: Context, email: string, name: string | null, place: TaxPlace): Promise<CustomerRow> {
  const known = await customerWithEmail(context, email)
  if (known) return known
  const made = await findOrMakeCustomer(context, email, name, place)
  context.emit(Customer, 'lead.created', made)
  return made
}
