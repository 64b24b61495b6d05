import type { HeaderOf } from '../../contract/requests/header-of.ts'

export interface CookieOptions {
  name: string
  /** Whether browsers send it over https alone. */
  secure: boolean
}

/** The cookie of people who are signed in. Over https its name makes sure that no other host has set it. */
export function cookieOptionsOf(publicUrl: string): CookieOptions {
  const secure = publicUrl.startsWith('https:')
  return { name: secure ? '__Host-shopwright_session' : 'shopwright_session', secure }
}

/** The token before its signature, which adds nothing: a token that was not handed out is in no row. */
const VALUE = /^([A-Za-z0-9]{32})(?:\.|%2E|$)/i
/** The longest header that is looked through. */
const MAX_HEADER = 16 * 1024

/** The session's token that a request carries, or null. */
export function sessionTokenIn(header: HeaderOf, { name }: CookieOptions): string | null {
  return VALUE.exec(cookieIn(header, name) ?? '')?.[1] ?? null
}

/** The value of the first cookie of a name, or null. */
export function cookieIn(header: HeaderOf, name: string): string | null {
  const cookies = header('cookie')
  if (cookies === null || cookies.length > MAX_HEADER) return null
  for (const pair of cookies.split(';')) {
    const at = pair.indexOf('=')
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return null
}

/** The `Set-Cookie` that makes a browser forget its session. */
export function endedCookie({ name, secure }: CookieOptions): string {
  return `${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}
