import type { Context } from '../../../../records/context.ts'
import { findRow } from '../../../../records/records.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import { queueAddressChanged } from '../../../messages/email/service-mail.ts'
import { Customer } from '../customer.ts'
import { updateCustomer } from '../write.ts'
import { endLinks, findLink, useUp } from './links.ts'
import { keepSessions } from './sessions.ts'

export const ADDRESS_EVENTS = ['customer.updated', 'email.created']

/** `taken`: another customer of the shop has the address; `over`: the link is no longer valid. */
export type AddressChange = { kind: 'changed'; email: string } | { kind: 'taken'; email: string } | { kind: 'over' }

/**
 * Customers are never merged, because they may be two people and merged orders cannot be separated again. The old address is notified,
 * in case somebody else made the change.
 */
export async function changeAddress(context: Context, secret: string): Promise<AddressChange> {
  const link = await findLink(context, 'address', secret)
  if (!link || !(await useUp(context, link))) return { kind: 'over' }
  const customer = await findRow(context, Customer, link.customer)
  if (!customer) return { kind: 'over' }
  const { email } = link
  if (customer.email === email) return { kind: 'changed', email }
  const taken = await rowsOf(context, 'customers').select('id').where('email', '=', email).executeTakeFirst()
  if (taken) return { kind: 'taken', email }
  await context.remember(Customer, [customer])
  const changed = await updateCustomer(context, customer, { email })
  await endLinks(context, customer.id)
  await keepSessions(context, changed)
  await queueAddressChanged(context, { to: customer.email, customer: null }, { email })
  return { kind: 'changed', email }
}
