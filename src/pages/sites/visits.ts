import { cookieIn } from '../../access/people/session-cookie.ts'
import type { SitePlace } from '../../access/people/site-passes.ts'
import type { HeaderOf } from '../../contract/requests/header-of.ts'
import type { Vault } from '../../records/services.ts'

/** A site keeps a visit in a cookie of its host. */
const VISIT_SECONDS = 60 * 60
const PURPOSE = 'site visit'

/** The cookie with which a browser visits a site for an hour. No other host gets it. */
export function visitCookie(vault: Vault, place: SitePlace, userId: string, secure: boolean): string {
  const value = signed(vault, place, userId)
  return `${nameOf(secure)}=${value}; Path=/; Max-Age=${VISIT_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}

/** Reads the visitor of a site from the cookie of a request; null without a valid one. */
export function visitorIn(vault: Vault, place: SitePlace, header: HeaderOf, secure: boolean): string | null {
  const value = cookieIn(header, nameOf(secure))
  return value === null ? null : holderOf(vault, place, value)
}

/** Over https its name makes sure that no other host has set it. */
function nameOf(secure: boolean): string {
  return secure ? '__Host-shopwright_site' : 'shopwright_site'
}

function signed(vault: Vault, place: SitePlace, userId: string): string {
  const expires = Math.floor(Date.now() / 1000) + VISIT_SECONDS
  return `${userId}.${expires}.${vault.derive(PURPOSE, said(place, userId, String(expires)))}`
}

function holderOf(vault: Vault, place: SitePlace, given: string): string | null {
  const [, userId, expires, signature] = /^([a-z0-9_]{1,60})\.(\d{1,12})\.([\w-]{43})$/.exec(given) ?? []
  if (userId === undefined || expires === undefined || signature === undefined) return null
  if (Number(expires) * 1000 <= Date.now()) return null
  return vault.matches(PURPOSE, said(place, userId, expires), signature) ? userId : null
}

/** None of its parts holds a blank, so no others are the same text. */
function said({ site, host }: SitePlace, userId: string, expires: string): string {
  return `${site} ${host} ${userId} ${expires}`
}
