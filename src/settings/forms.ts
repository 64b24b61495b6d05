import { isIP } from 'node:net'
import { z } from 'zod'
import { normalizeEmail } from '../contract/values/email.ts'
import { readSigningKey } from '../contract/values/signing-key.ts'
import { couldBeToken, TOKEN_PREFIX } from '../contract/values/token-format.ts'
import { X402_CHAIN_NAMES, type X402ChainName } from '../contract/values/x402-chains.ts'

export function choice<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: `it needs one of ${values.join(', ')}` })
}

export function matching(form: RegExp, problem: string) {
  return z.string().regex(form, problem)
}

/** An http or https URL. Trailing slashes are removed, since paths are appended; credentials are refused, since fetch refuses them. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'it needs an address such as https://shop.example' })
  .regex(/^https?:\/\/[^?#@\s]+$/i, 'it needs an address without credentials, query or fragment')
  .transform((url) => url.replace(/\/+$/, ''))

/** The origin of this service. Its links begin with it, and browsers send it as the origin of its pages. */
export const publicUrl = z
  .string()
  .refine(isOrigin, { error: 'it needs a scheme and a host without path or credentials, such as https://shop.example' })
  .transform(originOf)

const SMTP_FORM =
  'it needs an address such as smtp://user:password@mail.example:587, or smtps:// for TLS from the start'
export const smtpUrl = z
  .url({ protocol: /^smtps?$/, hostname: /./, error: SMTP_FORM })
  .regex(/^[^/]*\/\/[^/?#]+\/?$/, `${SMTP_FORM}, without path or query`)
  .refine(hasReadableCredentials, { error: 'it needs special characters in user name and password percent-encoded' })

export const postgresUrl = matching(
  /^postgres(ql)?:\/\/\S+$/i,
  'it needs an address such as postgres://user:password@127.0.0.1/shopwright',
)

/** A path in the file system. `~` is refused, because only a shell would expand it. */
export const path = matching(
  /^(?!~)(?![a-z]+:\/\/)\P{Cc}+$/u,
  'it needs a path such as /var/lib/shopwright, written out without ~',
)

export const listenAddress = z.string().refine((given) => isIP(given) !== 0 || /^[a-z0-9.-]+$/i.test(given), {
  error: 'it needs an address of this machine without scheme and port, such as 127.0.0.1, 0.0.0.0 or ::',
})

export function lineOf(longest: number) {
  return z
    .string()
    .regex(new RegExp(`^\\P{Cc}{1,${longest}}$`, 'u'), `it needs a name of up to ${longest} characters in one line`)
}

/** A key, token or secret that another service has issued. */
export function secret(min: number, max: number) {
  const length = min === 1 ? '' : `${min} to ${max} `
  return z
    .string()
    .regex(new RegExp(`^[!-~]{${min},${max}}$`), `it needs ${length}visible ASCII characters without spaces`)
}

/** The secret of a facilitator's API key, which signs a token for each request. */
export const signingKey = z
  .string()
  .refine(
    (given) => readSigningKey(given) !== null,
    'it needs an Ed25519 key of 64 bytes in Base64, or a PEM of an Ed25519 or P-256 key',
  )

/** A URL of a local server. Other hosts are refused, because the secret key is sent unencrypted. */
export const stripeUrl = z.url({
  protocol: /^http$/,
  hostname: /^(localhost|127\.0\.0\.1)$/,
  error: 'it needs an address such as http://127.0.0.1:4000',
})
export const onOff = z.stringbool({ error: 'it needs true or false' })

export const address = z.string().transform((given, context) => {
  const { address, problem } = normalizeEmail(given)
  if (address !== null) return address
  context.addIssue({
    code: 'custom',
    message: `it needs an e-mail address such as shop@mail.example, and this one ${problem}`,
  })
  return z.NEVER
})
export const bootstrapToken = z
  .string()
  .min(24, 'it needs 24 characters or more')
  .regex(/^[!-~]{1,512}$/, 'it needs 24 to 512 visible ASCII characters without spaces')
  .refine(couldBeToken, `it begins with ${TOKEN_PREFIX}, but Shopwright did not make it, so it would never be accepted`)

/** URLs of nodes by the name of their chain: `base=https://mainnet.base.org`. */
export const chainNodes = z.string().transform((text, context) => {
  const pairs = text.split(',').map((part) => part.trim().split(/=(.*)/s))
  const isKnown = (name: string | undefined) => X402_CHAIN_NAMES.some((one) => one === name)
  if (pairs.every(([name, url = '']) => isKnown(name) && httpUrl.safeParse(url).success))
    return Object.fromEntries(pairs) as Partial<Record<X402ChainName, string>>
  context.addIssue({
    code: 'custom',
    message: `it needs addresses by the names of chains (${X402_CHAIN_NAMES.join(', ')}), such as base=https://mainnet.base.org`,
  })
  return z.NEVER
})

/** The maximum gap between two retries in seconds: a week. */
const LONGEST_GAP = 604_800

/** A whole number from `min` to `max`. */
export function count(min: number, max = Number.MAX_SAFE_INTEGER) {
  const range = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`
  const error = `it needs a whole number ${range}, in digits alone`
  const number = z.number().min(min, { error }).max(max, { error })
  return z.string().regex(/^\d+$/, { error }).transform(Number).pipe(number)
}

/** A fraction from 0 to 1. */
const SHARE = 'it needs a number from 0 to 1, such as 0.25'
export const share = z
  .string()
  .regex(/^\d*\.?\d+$/, SHARE)
  .transform(Number)
  .pipe(z.number().max(1, SHARE))

/** A percentage from 0 to `most` with at most two decimals. */
export function percent(most: number) {
  const error = `it needs a number from 0 to ${most} with at most two decimals, such as 2.5`
  const number = z.number().max(most, { error })
  return z
    .string()
    .regex(/^\d{1,3}(\.\d{1,2})?$/, { error })
    .transform(Number)
    .pipe(number)
}

/** A comma-separated list of seconds. */
export const seconds = z.string().transform((text, context) => {
  const parts = text.split(',').map((part) => part.trim())
  const values = parts.map(Number)
  if (parts.every((part) => /^\d+(\.\d+)?$/.test(part)) && Math.max(...values) <= LONGEST_GAP) return values
  context.addIssue({ code: 'custom', message: 'it needs seconds, comma-separated, such as 5,300,1800' })
  return z.NEVER
})

/** The id or secret of an app at a social network. */
export const appSecret = secret(4, 500)

export const headerName = matching(/^[A-Za-z0-9-]{1,64}$/, 'it needs letters, digits and hyphens')

/** Returns whether a text is only a scheme, a host and a port, with an optional trailing slash. */
function isOrigin(given: string): boolean {
  if (!/^https?:\/\/[^\s/?#@\\]+\/?$/i.test(given) || !URL.canParse(given)) return false
  return /^[a-z0-9.-]+$|^\[[0-9a-f:.]+\]$/.test(new URL(given).hostname)
}

/** Returns the origin as browsers send it: without a default port or a trailing slash. */
function originOf(given: string): string {
  return new URL(given).origin
}

function hasReadableCredentials(given: string): boolean {
  const { username = '', password = '' } = URL.parse(given) ?? {}
  return !/%(?![0-9a-f]{2})/i.test(username + password)
}

/** Returns whether Node's resolver accepts a text: an address, or `address:port`, with IPv6 in brackets before a port. */
function isNameServer(given: string): boolean {
  const [, address = given, port = '53'] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(given) ?? []
  return isIP(given) !== 0 || (isIP(address) !== 0 && Number(port) <= 65_535)
}

/** The gaps between retries in seconds, as the Standard Webhooks specification recommends: 75.5 hours in total. */
export const RETRY_GAPS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean),
)
export const nameServers = list.refine((servers) => servers.every(isNameServer), {
  error: 'it needs numeric addresses, with a port or without, such as 9.9.9.9 or 127.0.0.1:5353',
})
export const hosts = list.refine((given) => given.every((host) => isOrigin(`http://${host}`) || isOrigin(host)), {
  error: 'it needs host names, with a port or without, such as shop.example or 127.0.0.1:3000',
})
export const origins = list
  .refine((given) => given.every(isOrigin), {
    error: 'it needs origins with a scheme and without a path, such as https://app.example',
  })
  .transform((given) => given.map(originOf))
