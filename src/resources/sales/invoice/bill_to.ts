import { missingParameter } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { Customer, type CustomerRow } from '../../audience/customer/customer.ts'
import { customerWithEmail, findOrMakeCustomer } from '../checkout/buyer.ts'
import { NO_PLACE, placeOf, type TaxPlace } from '../checkout/tax/terms.ts'
import type { Invoice } from './invoice.ts'

type Input = CreateInput<typeof Invoice>

/** Who is billed, and what the bill says of it. */
export interface BillTo {
  customer: string
  customer_name: string | null
  email_address: string
}

/**
 * The customer of an invoice: the one that is given, or the one of the address, made as a lead when there is none. The bill
 * may go to another address than the customer's.
 */
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

/** Where the customer that is billed is taxed, as far as the account knows. */
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

/** An invoice is no checkout: whoever is new by it is a lead until it is paid. */
async function customerOf(context: Context, email: string, name: string | null, place: TaxPlace): Promise<CustomerRow> {
  const known = await customerWithEmail(context, email)
  if (known) return known
  const made = await findOrMakeCustomer(context, email, name, place)
  context.emit(Customer, 'lead.created', made)
  return made
}
