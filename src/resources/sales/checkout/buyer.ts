import { invalid } from '../../../contract/declarations/errors.ts'
import { compileOnce } from '../../../database/compile-once.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { memoize } from '../../../records/memoize.ts'
import { findRow, insertRow, requireRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { Customer, type CustomerRow } from '../../audience/customer/customer.ts'
import { knowTagless } from '../../audience/customer/tag-links.ts'
import { fillNames } from '../../audience/customer/write.ts'
import { knowNothingPaid } from '../order/previous.ts'
import { NO_PLACE, placeOf, type TaxPlace } from './tax/terms.ts'

interface Buyer {
  email: string | null
  customer: string | null
}

/** Throws a 422 if `email` is not the address of the given customer. */
export async function requireBuyer(
  context: Context,
  { customer, email }: { customer?: string | null | undefined; email?: string | null | undefined },
): Promise<Buyer> {
  if (!customer) return { email: email ?? null, customer: null }
  const known = await requireRow(context, Customer, customer, 'customer')
  if (email && email !== known.email) throw invalid({ email: ['is not the e-mail address of the customer'] })
  return { email: known.email, customer: known.id }
}

export async function placeOfCustomer(context: Context, id: string | null): Promise<TaxPlace> {
  return id === null ? NO_PLACE : placeOf(await requireRow(context, Customer, id, 'customer'))
}

const customersByEmail = compileOnce((db: Context['db'], accountId: string, email: string) =>
  rowsOf({ db, accountId }, 'customers').selectAll().where('email', '=', email),
)

export async function customerWithEmail(context: Context, email: string): Promise<CustomerRow | undefined> {
  const asked = { name: `customer ${email}`, tables: ['customers'] as const }
  const [raw] = await memoize(context, asked, () => customersByEmail(context.db, context.accountId, email))
  return raw && decode(Customer, { ...raw })
}

/** Returns the checkout's customer, or finds or creates one by e-mail address. */
export async function customerOf(
  context: Context,
  { customer, email, ...place }: Buyer & TaxPlace,
  name: string | null,
): Promise<CustomerRow> {
  const known = customer === null ? undefined : await findRow(context, Customer, customer)
  return known ?? findOrMakeCustomer(context, email!, name, placeOf(place))
}

/** Returns the customer with the e-mail address, without changing it, or creates a lead. */
export async function findOrMakeCustomer(
  context: Context,
  email: string,
  name: string | null,
  place: TaxPlace = NO_PLACE,
): Promise<CustomerRow> {
  const known = await customerWithEmail(context, email)
  if (known) return known
  const made = await insertRow(context, Customer, {
    ...fillNames({ name }),
    ...place,
    email,
    customer_type: 'lead',
    orders_count: 0,
    total_spend: 0,
  })
  knowTagless(context, made.id)
  knowNothingPaid(context, made.id)
  return context.emit(Customer, 'created', made)
}
