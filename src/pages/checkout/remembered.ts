import type { HeaderOf } from '../../contract/requests/header-of.ts'

const NAME = 'checkout'
/** As long as a checkout stays open. */
const MAX_AGE_S = 24 * 60 * 60
/** A secret of a checkout has about 80 characters. */
const LONGEST = 200

/** The secret of the checkout that this browser opened by an address before. The browser sends it to that address alone. */
export function rememberedSecret(header: HeaderOf): string | null {
  const cookies = (header('cookie') ?? '').split(';')
  const value = cookies
    .map((one) => one.trim())
    .find((one) => one.startsWith(`${NAME}=`))
    ?.slice(NAME.length + 1)
  return value && value.length <= LONGEST ? value : null
}

/** The header that makes a browser remember its checkout of an address. */
export function rememberHeader(secret: string, address: string, publicUrl: string): Record<string, string> {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  return { 'Set-Cookie': `${NAME}=${secret}; Path=${address}; Max-Age=${MAX_AGE_S}; HttpOnly; SameSite=Lax${secure}` }
}
