import { randomBytes } from 'node:crypto'
import type { HeaderOf } from '../../contract/requests/header-of.ts'
import type { Vault } from '../../records/services.ts'
import { DEVICE_SECONDS } from './limits.ts'
import { type CookieOptions, cookieIn } from './session-cookie.ts'

const PURPOSE = 'browsers of people'
/** An id of its own, and the proof that somebody has signed in there with one password. */
const VALUE = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/

/**
 * The `Set-Cookie` of a browser in which somebody has signed in with a password, which is named by its id. It lets nobody in and
 * names nobody, and proves nothing once there is another password: whoever knew the old one is a stranger then.
 */
export function deviceCookie(vault: Vault, { secure }: CookieOptions, password: string): string {
  const id = randomBytes(16).toString('base64url')
  const attributes = `Path=/; Max-Age=${DEVICE_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return `${nameOf(secure)}=${id}.${vault.derive(PURPOSE, `${id} ${password}`)}; ${attributes}`
}

/** The id of a browser in which somebody has signed in with the password before, or null. */
export function deviceIn(header: HeaderOf, vault: Vault, { secure }: CookieOptions, password: string): string | null {
  const [, id, proof] = VALUE.exec(cookieIn(header, nameOf(secure)) ?? '') ?? []
  if (id === undefined || proof === undefined) return null
  return vault.matches(PURPOSE, `${id} ${password}`, proof) ? id : null
}

function nameOf(secure: boolean): string {
  return secure ? '__Host-shopwright_browser' : 'shopwright_browser'
}
