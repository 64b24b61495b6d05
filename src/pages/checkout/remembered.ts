import { parse, serialize } from 'hono/utils/cookie'
import type { HeaderOf } from '../../contract/requests/header-of.ts'

const CHECKOUT = 'checkout'
const NAME = 'buyer'
/** As long as a checkout stays open. */
const MAX_AGE_S = 24 * 60 * 60
/** A secret of a checkout has about 80 characters. */
const LONGEST_SECRET = 200
const LONGEST_NAME = 200

/** The secret of the checkout that this browser opened by an address before. The browser sends it to that address alone. */
export function rememberedSecret(header: HeaderOf): string | null {
  return remembered(header, CHECKOUT, LONGEST_SECRET)
}

/** The header that makes a browser remember its checkout of an address. */
export function rememberHeader(secret: string, address: string, publicUrl: string): Record<string, string> {
  return { 'Set-Cookie': cookie(CHECKOUT, secret, address, publicUrl) }
}

/** The name that somebody typed in this browser at a checkout whose payment failed. */
export function rememberedName(header: HeaderOf): string | null {
  return remembered(header, NAME, LONGEST_NAME)
}

/**
 * The answer, which makes a browser remember a typed name for the page of one checkout. The name of the customer cannot be shown in
 * its place: anybody can type the e-mail address of another.
 */
export function rememberingName(
  answer: Response,
  name: string | undefined,
  address: string,
  publicUrl: string,
): Response {
  if (name !== undefined) answer.headers.append('Set-Cookie', cookie(NAME, name, address, publicUrl))
  return answer
}

function remembered(header: HeaderOf, name: string, longest: number): string | null {
  const value = parse(header('cookie') ?? '', name)[name]
  return value && value.length <= longest ? value : null
}

function cookie(name: string, value: string, path: string, publicUrl: string): string {
  const secure = publicUrl.startsWith('https:')
  return serialize(name, value, { path, maxAge: MAX_AGE_S, httpOnly: true, sameSite: 'Lax', secure })
}
