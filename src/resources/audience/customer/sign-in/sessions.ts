import { timestampOf } from '../../../../contract/values/values.ts'
import type { Context } from '../../../../records/context.ts'
import { findRow } from '../../../../records/records.ts'
import { deleteRowsOf, rowsOf, updateRowsOf } from '../../../../records/rows-of.ts'
import { queueAddressChanged } from '../../../messages/email/service-mail.ts'
import { Customer, type CustomerRow } from '../customer.ts'
import { updateCustomer } from '../write.ts'
import { endLinks, findLink, hashOf, hashOfNew, newSecret, useUp } from './links.ts'

type SecretContext = Pick<Context, 'db' | 'accountId' | 'services' | 'realNow'>

export const SESSION_SECONDS = 7 * 24 * 60 * 60
/** The maximum number of sessions of one customer; a further session ends the oldest. */
const MOST_SESSIONS = 20

/** Returns the secret of the new session, or null if the link is no longer valid. */
export async function signIn(context: Context, linkSecret: string): Promise<string | null> {
  const link = await findLink(context, 'sign_in', linkSecret)
  if (!link || !(await useUp(context, link))) return null
  const customer = await findRow(context, Customer, link.customer)
  // The shop may have changed the customer's address after the link was mailed.
  if (customer?.email !== link.email) return null
  return beginSession(context, customer)
}

async function beginSession(context: Context, { id: customer, email }: CustomerRow): Promise<string> {
  await endOldest(context, customer)
  const secret = newSecret()
  const expires = new Date(Date.parse(context.realNow) + SESSION_SECONDS * 1000)
  const row = {
    ...{ account_id: context.accountId, customer, email, created_at: context.realNow },
    token_hash: hashOfNew(context.services.vault, 'session', secret),
    expires_at: timestampOf(expires),
  }
  await context.db.insertInto('buyer_sessions').values(row).execute()
  return secret
}

async function endOldest(context: Context, customer: string): Promise<void> {
  const others = rowsOf(context, 'buyer_sessions').select('token_hash').where('customer', '=', customer)
  const surplus = await others
    .orderBy('created_at', 'desc')
    .offset(MOST_SESSIONS - 1)
    .limit(MOST_SESSIONS)
    .execute()
  const hashes = surplus.map(({ token_hash }) => token_hash)
  if (hashes.length > 0) await deleteRowsOf(context, 'buyer_sessions').where('token_hash', 'in', hashes).execute()
}

/** Returns null if the session has ended or the customer's address has changed. */
export async function signedIn(context: SecretContext, secret: string): Promise<CustomerRow | null> {
  const hash = hashOf(context.services.vault, 'session', secret)
  if (hash === null) return null
  const session = await rowsOf(context, 'buyer_sessions')
    .select(['customer', 'email'])
    .where('token_hash', '=', hash)
    .where('expires_at', '>', context.realNow)
    .executeTakeFirst()
  const customer = session && (await findRow(context, Customer, session.customer))
  return customer && customer.email === session.email ? customer : null
}

export async function signOut(context: Context, customer: string, secret: string): Promise<void> {
  const hash = hashOf(context.services.vault, 'session', secret)
  if (hash === null) return
  const own = deleteRowsOf(context, 'buyer_sessions').where('customer', '=', customer)
  await own.where('token_hash', '=', hash).execute()
}

/** Ends the customer's sessions except the one with the secret `kept`. */
export async function signOutElsewhere(context: Context, customer: string, kept: string | null): Promise<void> {
  const hash = kept === null ? '' : (hashOf(context.services.vault, 'session', kept) ?? '')
  const own = deleteRowsOf(context, 'buyer_sessions').where('customer', '=', customer)
  await own.where('token_hash', '!=', hash).execute()
}

/** Moves a customer's sessions to the new address, which was verified, so that they stay valid. */
async function keepSessions(context: Context, { id, email }: Pick<CustomerRow, 'id' | 'email'>): Promise<void> {
  await updateRowsOf(context, 'buyer_sessions').set({ email }).where('customer', '=', id).execute()
}

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
