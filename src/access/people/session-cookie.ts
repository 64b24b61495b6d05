import type { HeaderOf } from '../../contract/requests/header-of.ts'

export interface CookieOptions {
  name: string
  /** Whether browsers send the cookie over https only. */
  secure: boolean
}

/** Returns the options of a cookie. Over https, the prefix `__Host-` ensures that no other host has set the cookie. */
export function cookieOptionsOf(publicUrl: string, name: string, prefix = '__Host-'): CookieOptions {
  const secure = publicUrl.startsWith('https:')
  return { name: secure ? prefix + name : name, secure }
}

/** Matches the token without its signature. The signature is not needed, because only issued tokens are in the database. */
const VALUE = /^([A-Za-z0-9]{32})(?:\.|%2E|$)/i
const MAX_HEADER = 16 * 1024

/** Returns the session token in the cookies of a request, or null. */
export function sessionTokenIn(header: HeaderOf, { name }: CookieOptions): string | null {
  return VALUE.exec(cookieIn(header, name) ?? '')?.[1] ?? null
}

export function cookieIn(header: HeaderOf, name: string): string | null {
  const cookies = header('cookie')
  if (cookies === null || cookies.length > MAX_HEADER) return null
  for (const pair of cookies.split(';')) {
    const at = pair.indexOf('=')
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return null
}

/** Returns the `Set-Cookie` header for a cookie that scripts cannot read; 0 seconds end the cookie. */
export function setCookie({ name, secure }: CookieOptions, value: string, seconds: number, path = '/'): string {
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}
