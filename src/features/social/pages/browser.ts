import { randomBytes } from 'node:crypto'
import { type CookieOptions, cookieIn, cookieOptionsOf, setCookie } from '../../../access/people/session-cookie.ts'
import type { HeaderOf } from '../../../contract/requests/header-of.ts'

const SECRET_PATTERN = /^[\w-]{43}$/
const COOKIE_SECONDS = 60 * 60

/** Returns the secret of a browser that started an authorization, or null. */
export function browserIn(header: HeaderOf, publicUrl: string): string | null {
  const value = cookieIn(header, cookieOf(publicUrl).name)
  return value !== null && SECRET_PATTERN.test(value) ? value : null
}

export function newBrowser(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the `Set-Cookie` header for a browser. The cookie identifies no person; it only shows that the same browser returns. */
export function browserCookie(browser: string, publicUrl: string): string {
  return setCookie(cookieOf(publicUrl), browser, COOKIE_SECONDS)
}

function cookieOf(publicUrl: string): CookieOptions {
  return cookieOptionsOf(publicUrl, 'shopwright_network')
}
