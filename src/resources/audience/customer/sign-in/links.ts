import { randomBytes } from 'node:crypto'
import { timestampOf } from '../../../../contract/values/values.ts'
import type { Context } from '../../../../records/context.ts'
import { deleteRowsOf, rowsOf } from '../../../../records/rows-of.ts'
import type { Vault } from '../../../../records/services.ts'
import { currentAccount } from '../../../company/account/current.ts'
import { storefrontOf } from '../../../content/storefront-url.ts'
import type { Tables } from '../../../tables.ts'

/** The format of secrets; text in another format is not looked up in the database. */
const SECRET = /^[A-Za-z0-9_-]{43}$/

type BuyerLinkRow = Tables['buyer_links']

/** The validity of a mailed link, which works only once. */
export const LINK_MINUTES = 30
/** The maximum number of valid links of one customer: more than anybody needs, and a limit on what is stored. */
const MOST_LINKS = 20

type NewLink = Pick<BuyerLinkRow, 'purpose' | 'customer' | 'email'>
type SecretContext = Pick<Context, 'db' | 'accountId' | 'services' | 'realNow'>

/** Creates a link that has to be mailed to `email`, and returns its URL; null if the customer has too many valid links. */
export async function makeLink(context: Context, wanted: NewLink): Promise<string | null> {
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

/** Returns undefined if the secret is wrong, used or expired. */
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
export async function useUp(context: Context, { token_hash }: Pick<BuyerLinkRow, 'token_hash'>): Promise<boolean> {
  const { numDeletedRows } = await deleteRowsOf(context, 'buyer_links')
    .where('token_hash', '=', token_hash)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function endLinks(context: Context, customer: string): Promise<void> {
  await deleteRowsOf(context, 'buyer_links').where('customer', '=', customer).execute()
}

type KeyDeriver = Pick<Vault, 'derive'>
/** A secret for one purpose is not valid for another. */
type SecretPurpose = 'sign_in' | 'address' | 'session'

export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the keyed hash that is stored instead of a secret; null if the secret has the wrong format. */
export function hashOf(keys: KeyDeriver, purpose: SecretPurpose, secret: string): string | null {
  return SECRET.test(secret) ? hashOfNew(keys, purpose, secret) : null
}

/** Hashes a newly generated secret, whose format needs no check. */
export function hashOfNew({ derive }: KeyDeriver, purpose: SecretPurpose, secret: string): string {
  return derive('buyer', `${purpose} ${secret}`)
}
