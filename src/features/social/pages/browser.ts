import { randomBytes } from 'node:crypto'
import { cookieIn } from '../../../access/people/session-cookie.ts'
import type { HeaderOf } from '../../../contract/requests/header-of.ts'

const SECRET_PATTERN = /^[\w-]{43}$/
const COOKIE_SECONDS = 60 * 60

/** Returns the secret in the cookie of a browser that started an authorization, or null. */
export function browserIn(header: HeaderOf, publicUrl: string): string | null {
  const value = cookieIn(header, cookieName(publicUrl))
  return value !== null && SECRET_PATTERN.test(value) ? value : null
}

export function newBrowser(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the `Set-Cookie` header for a browser. The cookie identifies no person; it only shows that the same browser returns. */
export function browserCookie(browser: string, publicUrl: string): string {
  const attributes = `Path=/; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${isSecure(publicUrl) ? '; Secure' : ''}`
  return `${cookieName(publicUrl)}=${browser}; ${attributes}`
}

function cookieName(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Host-shopwright_network' : 'shopwright_network'
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}
