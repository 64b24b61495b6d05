import { randomBytes } from 'node:crypto'
import { timestampOf } from '../../../../contract/values/values.ts'
import type { Context } from '../../../../records/context.ts'
import { deleteRowsOf, rowsOf } from '../../../../records/rows-of.ts'
import type { Vault } from '../../../../records/services.ts'
import { currentAccount } from '../../../company/account/current.ts'
import { storefrontOf } from '../../../content/storefront_url.ts'
import type { Tables } from '../../../tables.ts'

/** What every secret looks like; nothing else is worth a query. */
const SECRET = /^[A-Za-z0-9_-]{43}$/

type BuyerLinkRow = Tables['buyer_links']

/** How long a link of a mail works, unless it is used before. */
export const LINK_MINUTES = 30
/** Links of one customer that work at the same time: more than anybody asks for, and a bound to what is stored. */
const MOST_LINKS = 20

type Wanted = Pick<BuyerLinkRow, 'purpose' | 'customer' | 'email'>
type Reading = Pick<Context, 'db' | 'accountId' | 'services' | 'realNow'>

/** Makes a link for a customer, which is mailed to `email`, and gives its address; null where too many work already. */
export async function makeLink(context: Context, wanted: Wanted): Promise<string | null> {
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

/** The link that a secret opens; undefined when it is wrong, used or too old. */
export async function findLink(
  context: Reading,
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

/** Uses a link up. False when another request was quicker. */
export async function useUp(context: Context, { token_hash }: Pick<BuyerLinkRow, 'token_hash'>): Promise<boolean> {
  const { numDeletedRows } = await deleteRowsOf(context, 'buyer_links')
    .where('token_hash', '=', token_hash)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Ends every link of a customer that is not used yet. */
export async function endLinks(context: Context, customer: string): Promise<void> {
  await deleteRowsOf(context, 'buyer_links').where('customer', '=', customer).execute()
}

type Keys = Pick<Vault, 'derive'>
/** What a secret of a buyer is for: none does for another. */
type Purpose = 'sign_in' | 'address' | 'session'

export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** What is stored of a secret: a keyed hash, of its purpose too. Null for what is no secret. */
export function hashOf(keys: Keys, purpose: Purpose, secret: string): string | null {
  return SECRET.test(secret) ? hashOfNew(keys, purpose, secret) : null
}

/** The same of a secret that was just made. */
export function hashOfNew({ derive }: Keys, purpose: Purpose, secret: string): string {
  return derive('buyer', `${purpose} ${secret}`)
}
