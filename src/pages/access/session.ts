import { accountNamed } from '../../access/account-of.ts'
import { type CookieOptions, cookieIn, cookieOptionsOf, setCookie } from '../../access/people/session-cookie.ts'
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
  const secret = cookieIn(header, cookieOf(parts).name)
  if (secret === null) return null
  const place = { db: parts.database.read, accountId: shop.accountId, services: parts.services }
  const customer = await signedIn({ ...place, realNow: timestampOf(new Date()) }, secret)
  const caller = customer && { kind: 'customer' as const, accountId: shop.accountId, customerId: customer.id }
  return customer && caller && { ...shop, caller, customer, secret }
}

/** The cookie is limited to the pages for buyers of this shop. */
export function sessionCookie(parts: SessionParts, { path }: BuyersShop, secret: string): string {
  return setCookie(cookieOf(parts), secret, SESSION_SECONDS, path)
}

export function forgottenCookie(parts: SessionParts, { path }: BuyersShop): string {
  return setCookie(cookieOf(parts), '', 0, path)
}

function cookieOf({ publicUrl }: SessionParts): CookieOptions {
  return cookieOptionsOf(publicUrl, 'shopwright_buyer', '__Secure-')
}
