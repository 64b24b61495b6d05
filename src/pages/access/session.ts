import { accountNamed } from '../../access/account-of.ts'
import { cookieIn } from '../../access/people/session-cookie.ts'
import type { CustomerCaller } from '../../contract/declarations/caller.ts'
import type { Row } from '../../contract/declarations/noun.ts'
import type { HeaderOf } from '../../contract/requests/header-of.ts'
import { timestampOf } from '../../contract/values/values.ts'
import type { Customer } from '../../resources/audience/customer/customer.ts'
import { SESSION_SECONDS, signedIn } from '../../resources/audience/customer/sign-in.ts'
import type { PageParts } from '../parts/parts.ts'

export interface BuyersShop {
  accountId: string
  path: string
  /** The origin has no slash at the end. */
  origin: string
}

export interface Buyer extends BuyersShop {
  caller: CustomerCaller
  customer: Row<typeof Customer>
  secret: string
}

type SessionParts = Pick<PageParts, 'database' | 'services' | 'publicUrl'>

/** Returns the shop of a subdomain, or null. `ownDomain` is the origin of the shop's own domain, if the request came to it. */
export async function shopNamed(
  { database, publicUrl }: Pick<SessionParts, 'database' | 'publicUrl'>,
  subdomain: string,
  ownDomain: string | null,
): Promise<BuyersShop | null> {
  const accountId = await accountNamed(database.read, subdomain)
  if (accountId === null) return null
  const path = ownDomain === null ? `/s/${subdomain}/access` : '/access'
  return { accountId, path, origin: ownDomain ?? publicUrl }
}

export async function buyerIn(parts: SessionParts, shop: BuyersShop, header: HeaderOf): Promise<Buyer | null> {
  const secret = cookieIn(header, cookieName(parts))
  if (secret === null) return null
  const place = { db: parts.database.read, accountId: shop.accountId, services: parts.services }
  const customer = await signedIn({ ...place, realNow: timestampOf(new Date()) }, secret)
  const caller = customer && { kind: 'customer' as const, accountId: shop.accountId, customerId: customer.id }
  return customer && caller && { ...shop, caller, customer, secret }
}

/** Returns the session cookie, which is limited to the buyers' pages of this shop. */
export function sessionCookie(parts: SessionParts, { path }: BuyersShop, secret: string): string {
  return cookie(parts, path, secret, SESSION_SECONDS)
}

export function forgottenCookie(parts: SessionParts, { path }: BuyersShop): string {
  return cookie(parts, path, '', 0)
}

function cookie(parts: SessionParts, path: string, value: string, seconds: number): string {
  const secure = isSecure(parts) ? '; Secure' : ''
  return `${cookieName(parts)}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

function cookieName(parts: SessionParts): string {
  return isSecure(parts) ? '__Secure-shopwright_buyer' : 'shopwright_buyer'
}

function isSecure({ publicUrl }: SessionParts): boolean {
  return publicUrl.startsWith('https:')
}
