import { cookieIn } from '../../access/people/session-cookie.ts'
import type { HeaderOf } from '../../contract/requests/header-of.ts'
import type { Vault } from '../../records/services.ts'

/** A pass is carried from the service to the site in an address; the site keeps a visit in a cookie of its host. */
const PASS_SECONDS = 60
const VISIT_SECONDS = 60 * 60
const PURPOSES = { pass: 'site pass', visit: 'site visit' } as const

/** Which site, at which of its hosts. */
export interface Place {
  site: string
  host: string
}

/** Lets a person in at one host of a site, for a minute. */
export function passFor(vault: Vault, place: Place, userId: string): string {
  return signed(vault, 'pass', place, userId, PASS_SECONDS)
}

/** Whom a pass is for; null for one that is wrong, too old or for another host. */
export function holderOfPass(vault: Vault, place: Place, pass: string): string | null {
  return holderOf(vault, 'pass', place, pass)
}

/** The cookie with which a browser visits a site for an hour. No other host gets it. */
export function visitCookie(vault: Vault, place: Place, userId: string, secure: boolean): string {
  const value = signed(vault, 'visit', place, userId, VISIT_SECONDS)
  return `${nameOf(secure)}=${value}; Path=/; Max-Age=${VISIT_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}

/** Who visits a site with the cookie of a request; null for nobody. */
export function visitorIn(vault: Vault, place: Place, header: HeaderOf, secure: boolean): string | null {
  const value = cookieIn(header, nameOf(secure))
  return value === null ? null : holderOf(vault, 'visit', place, value)
}

/** Over https its name makes sure that no other host has set it. */
function nameOf(secure: boolean): string {
  return secure ? '__Host-shopwright_site' : 'shopwright_site'
}

function signed(vault: Vault, kind: keyof typeof PURPOSES, place: Place, userId: string, seconds: number): string {
  const expires = Math.floor(Date.now() / 1000) + seconds
  return `${userId}.${expires}.${vault.derive(PURPOSES[kind], said(place, userId, String(expires)))}`
}

function holderOf(vault: Vault, kind: keyof typeof PURPOSES, place: Place, given: string): string | null {
  const [, userId, expires, signature] = /^([a-z0-9_]{1,60})\.(\d{1,12})\.([\w-]{43})$/.exec(given) ?? []
  if (userId === undefined || expires === undefined || signature === undefined) return null
  if (Number(expires) * 1000 <= Date.now()) return null
  return vault.matches(PURPOSES[kind], said(place, userId, expires), signature) ? userId : null
}

/** None of its parts holds a blank, so no others are the same text. */
function said({ site, host }: Place, userId: string, expires: string): string {
  return `${site} ${host} ${userId} ${expires}`
}
