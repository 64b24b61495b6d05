import { randomBytes } from 'node:crypto'
import { timestampOf } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { job } from '../../../records/job.ts'
import { findRow } from '../../../records/records.ts'
import { deleteRowsOf, rowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import type { Vault } from '../../../records/services.ts'
import { currentAccount } from '../../company/account/current.ts'
import { storefrontOf } from '../../content/domain-names.ts'
import { queueAddressChanged, sendSecretLetter } from '../../messages/email/service-mail.ts'
import { buyerLinkLetter, newAddressLetter } from '../../messages/email/templates/buyers-address.ts'
import type { Tables } from '../../tables.ts'
import { Customer, type CustomerRow } from './customer.ts'
import { updateCustomer } from './write.ts'

type SecretContext = Pick<Context, 'db' | 'accountId' | 'services' | 'realNow'>

export const SESSION_SECONDS = 7 * 24 * 60 * 60
/** The maximum number of sessions of one customer. Another session ends the oldest. */
const MOST_SESSIONS = 20

/** Begins a session through a mailed link. Returns the secret of the session, or null if the link is no longer valid. */
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

/** Returns the customer of a session, or null if the session has ended or the customer's address has changed. */
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

export const ADDRESS_EVENTS = ['customer.updated', 'email.created']

/** `taken`: another customer of the shop has the address; `over`: the link is no longer valid. */
export type AddressChange = { kind: 'changed'; email: string } | { kind: 'taken'; email: string } | { kind: 'over' }

/**
 * Changes a customer's address through a mailed link, and notifies the old address in case somebody else made the change.
 * Customers are never merged, because they may be two people and merged orders cannot be separated again.
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
  await updateCustomer(context, customer, { email })
  await endLinks(context, customer.id)
  // Sessions move to the new address, which was verified, so that they stay valid.
  await updateRowsOf(context, 'buyer_sessions').set({ email }).where('customer', '=', customer.id).execute()
  await queueAddressChanged(context, { to: customer.email, customer: null }, { email })
  return { kind: 'changed', email }
}

/** The format of secrets; text in another format is not looked up in the database. */
const SECRET = /^[A-Za-z0-9_-]{43}$/

type BuyerLinkRow = Tables['buyer_links']

/** The validity of a mailed link, which works only once. */
export const LINK_MINUTES = 30
/** The maximum number of valid links of one customer: more than anybody needs, and a limit on what is stored. */
const MOST_LINKS = 20

type NewLink = Pick<BuyerLinkRow, 'purpose' | 'customer' | 'email'>
/** Creates a link, which must be mailed to `email`, and returns its URL; null if the customer has too many valid links. */
async function makeLink(context: Context, wanted: NewLink): Promise<string | null> {
  const known = rowsOf(context, 'buyer_links').select('token_hash').where('customer', '=', wanted.customer)
  const working = await known.where('expires_at', '>', context.realNow).limit(MOST_LINKS).execute()
  if (working.length === MOST_LINKS) return null
  const secret = newSecret()
  const token_hash = hashOfNew(context.services.vault, wanted.purpose, secret)
  const expires_at = timestampOf(new Date(Date.parse(context.realNow) + LINK_MINUTES * 60_000))
  const row = { account_id: context.accountId, ...wanted, token_hash, expires_at }
  await context.db.insertInto('buyer_links').values(row).execute()
  const home = storefrontOf(context, await currentAccount(context))
  return `${home}/access/${wanted.purpose === 'sign_in' ? 'link' : 'address'}/${secret}`
}

/** Returns the link with a secret, or undefined if the secret is wrong, used or expired. */
export async function findLink(
  context: SecretContext,
  purpose: BuyerLinkRow['purpose'],
  secret: string,
): Promise<BuyerLinkRow | undefined> {
  const hash = hashOf(context.services.vault, purpose, secret)
  if (hash === null) return undefined
  return rowsOf(context, 'buyer_links')
    .selectAll()
    .where('token_hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', context.realNow)
    .executeTakeFirst()
}

/** Deletes a link, because it works only once. Returns false if another request used it first. */
async function useUp(context: Context, { token_hash }: Pick<BuyerLinkRow, 'token_hash'>): Promise<boolean> {
  const { numDeletedRows } = await deleteRowsOf(context, 'buyer_links')
    .where('token_hash', '=', token_hash)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

async function endLinks(context: Context, customer: string): Promise<void> {
  await deleteRowsOf(context, 'buyer_links').where('customer', '=', customer).execute()
}

type KeyDeriver = Pick<Vault, 'derive'>
/** A secret for one purpose is not valid for another. */
type SecretPurpose = 'sign_in' | 'address' | 'session'

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the keyed hash that is stored instead of a secret; null if the secret has the wrong format. */
function hashOf(keys: KeyDeriver, purpose: SecretPurpose, secret: string): string | null {
  return SECRET.test(secret) ? hashOfNew(keys, purpose, secret) : null
}

/** Hashes a newly generated secret, whose format needs no check. */
function hashOfNew({ derive }: KeyDeriver, purpose: SecretPurpose, secret: string): string {
  return derive('buyer', `${purpose} ${secret}`)
}

const ATTEMPTS = 5

/**
 * Mails a sign-in link to a customer. The job is enqueued for unknown addresses too, so that response times do not reveal
 * customers. Each attempt creates its own link, so that no job stores a secret.
 */
export const mailBuyerLink = job<{ email: string }>('customer.mail_buyer_link', {
  attempts: ATTEMPTS,
  async work(job, { email }) {
    const link = await job.transaction(async (context) => {
      const known = rowsOf(context, 'customers').select('id').where('email', '=', email)
      const customer = await known.executeTakeFirst()
      return customer ? makeLink(context, { purpose: 'sign_in', customer: customer.id, email }) : null
    })
    if (link !== null)
      await sendSecretLetter(job, { kind: 'buyer_link', to: email }, (shop) => buyerLinkLetter({ link }, shop))
    await job.finish(async () => {})
  },
})

/** Mails a confirmation link to a customer's new address. */
export const mailAddressLink = job<{ customer: string; email: string }>('customer.mail_address_link', {
  attempts: ATTEMPTS,
  async work(job, { customer: id, email }) {
    const link = await job.transaction(async (context) => {
      const customer = await findRow(context, Customer, id)
      return customer ? makeLink(context, { purpose: 'address', customer: id, email }) : null
    })
    if (link !== null)
      await sendSecretLetter(job, { kind: 'buyer_link', to: email }, (shop) => newAddressLetter({ link }, shop))
    await job.finish(async () => {})
  },
})
