import type { HeaderOf } from '../../contract/requests/header-of.ts'

export interface CookieOptions {
  name: string
  /** Whether browsers send it only over https. */
  secure: boolean
}

/** Returns the options of the session cookie. Over https, its name prefix ensures that no other host has set it. */
export function cookieOptionsOf(publicUrl: string): CookieOptions {
  const secure = publicUrl.startsWith('https:')
  return { name: secure ? '__Host-shopwright_session' : 'shopwright_session', secure }
}

/** Matches the token without its signature, which adds nothing: a token that was not issued is in no row. */
const VALUE = /^([A-Za-z0-9]{32})(?:\.|%2E|$)/i
/** The maximum length of a header that is parsed. */
const MAX_HEADER = 16 * 1024

/** Returns the session token of a request, or null. */
export function sessionTokenIn(header: HeaderOf, { name }: CookieOptions): string | null {
  return VALUE.exec(cookieIn(header, name) ?? '')?.[1] ?? null
}

/** Returns the value of the first cookie with a name, or null. */
export function cookieIn(header: HeaderOf, name: string): string | null {
  const cookies = header('cookie')
  if (cookies === null || cookies.length > MAX_HEADER) return null
  for (const pair of cookies.split(';')) {
    const at = pair.indexOf('=')
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return null
}

/** Returns the `Set-Cookie` that deletes the session in a browser. */
export function endedCookie({ name, secure }: CookieOptions): string {
  return `${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}
