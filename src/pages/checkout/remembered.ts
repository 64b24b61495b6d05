import { parse, serialize } from 'hono/utils/cookie'
import type { HeaderOf } from '../../contract/requests/header-of.ts'

const CHECKOUT_COOKIE = 'checkout'
const NAME_COOKIE = 'buyer'
/** The lifetime of the cookies, which is the time that a checkout stays open. */
const MAX_AGE_S = 24 * 60 * 60
/** Secrets in the cookie have about 80 characters. */
const MAX_SECRET = 200
const MAX_NAME = 200

/** Returns the secret of the checkout that this browser opened at this URL. The cookie is limited to the URL's path. */
export function rememberedSecret(header: HeaderOf): string | null {
  return cookieValue(header, CHECKOUT_COOKIE, MAX_SECRET)
}

export function checkoutCookieHeader(secret: string, address: string, publicUrl: string): Record<string, string> {
  return { 'Set-Cookie': cookie(CHECKOUT_COOKIE, secret, address, publicUrl) }
}

/** Returns the name that was typed in this browser at a checkout whose payment failed. */
export function rememberedName(header: HeaderOf): string | null {
  return cookieValue(header, NAME_COOKIE, MAX_NAME)
}

/** Keeps the typed name. The customer's stored name must not be shown, because anyone can type another person's email address. */
export function withNameCookie(
  answer: Response,
  name: string | undefined,
  address: string,
  publicUrl: string,
): Response {
  if (name !== undefined) answer.headers.append('Set-Cookie', cookie(NAME_COOKIE, name, address, publicUrl))
  return answer
}

function cookieValue(header: HeaderOf, name: string, longest: number): string | null {
  const value = parse(header('cookie') ?? '', name)[name]
  return value && value.length <= longest ? value : null
}

function cookie(name: string, value: string, path: string, publicUrl: string): string {
  const secure = publicUrl.startsWith('https:')
  return serialize(name, value, { path, maxAge: MAX_AGE_S, httpOnly: true, sameSite: 'Lax', secure })
}
