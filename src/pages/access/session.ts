import { accountNamed } from '../../access/account-of.ts'
import { cookieIn } from '../../access/people/session-cookie.ts'
import type { CustomerCaller } from '../../contract/declarations/caller.ts'
import type { Row } from '../../contract/declarations/noun.ts'
import type { HeaderOf } from '../../contract/requests/header-of.ts'
import { timestampOf } from '../../contract/values/values.ts'
import type { Customer } from '../../resources/audience/customer/customer.ts'
import { SESSION_SECONDS, signedIn } from '../../resources/audience/customer/sign_in/sessions.ts'
import type { PageParts } from '../parts/parts.ts'

/** A shop whose buyers have a page of their own, at `path`. */
export interface BuyersShop {
  accountId: string
  path: string
  /** What the path is below, without a slash at the end. */
  origin: string
}

export interface Buyer extends BuyersShop {
  caller: CustomerCaller
  customer: Row<typeof Customer>
  secret: string
}

type Parts = Pick<PageParts, 'database' | 'services' | 'publicUrl'>

/** The shop that has a subdomain, or null; `ownDomain` is where it is asked for, unless that is the service's own address. */
export async function shopNamed(
  { database, publicUrl }: Pick<Parts, 'database' | 'publicUrl'>,
  subdomain: string,
  ownDomain: string | null,
): Promise<BuyersShop | null> {
  const accountId = await accountNamed(database.read, subdomain)
  if (accountId === null) return null
  const path = ownDomain === null ? `/s/${subdomain}/access` : '/access'
  return { accountId, path, origin: ownDomain ?? publicUrl }
}

/** The buyer whom a browser is signed in for, or null. */
export async function buyerIn(parts: Parts, shop: BuyersShop, header: HeaderOf): Promise<Buyer | null> {
  const secret = cookieIn(header, nameOf(parts))
  if (secret === null) return null
  const place = { db: parts.database.read, accountId: shop.accountId, services: parts.services }
  const customer = await signedIn({ ...place, realNow: timestampOf(new Date()) }, secret)
  const caller = customer && { kind: 'customer' as const, accountId: shop.accountId, customerId: customer.id }
  return customer && caller && { ...shop, caller, customer, secret }
}

/** The `Set-Cookie` of a session. Browsers send it to the buyer's page of this shop alone. */
export function sessionCookie(parts: Parts, { path }: BuyersShop, secret: string): string {
  return cookie(parts, path, secret, SESSION_SECONDS)
}

/** The `Set-Cookie` that makes a browser forget it. */
export function forgottenCookie(parts: Parts, { path }: BuyersShop): string {
  return cookie(parts, path, '', 0)
}

function cookie(parts: Parts, path: string, value: string, seconds: number): string {
  const secure = isSecure(parts) ? '; Secure' : ''
  return `${nameOf(parts)}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

function nameOf(parts: Parts): string {
  return isSecure(parts) ? '__Secure-shopwright_buyer' : 'shopwright_buyer'
}

function isSecure({ publicUrl }: Parts): boolean {
  return publicUrl.startsWith('https:')
}
