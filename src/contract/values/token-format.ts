import { createHmac, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** What every token made here begins with, so that secret scanners and people know it. */
export const TOKEN_PREFIX = 'shpw_'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 30
const CHECKSUM_LENGTH = 6

/** A new token: prefix, 30 random base62 characters (178 bits), and their CRC-32 in six base62 characters. */
export function newToken(prefix = TOKEN_PREFIX): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return `${prefix}${random}${checksum(random)}`
}

/** False for a token that carries our prefix and was mistyped or made up: no query is spent on it. */
export function couldBeToken(token: string): boolean {
  if (!token.startsWith(TOKEN_PREFIX)) return token.length > 0 && token.length <= 512
  return isWhole(token, TOKEN_PREFIX)
}

/** Whether a token has the prefix and a checksum that fits. */
export function isWhole(token: string, prefix: string): boolean {
  if (!token.startsWith(prefix)) return false
  const rest = token.slice(prefix.length)
  if (rest.length !== RANDOM_LENGTH + CHECKSUM_LENGTH || !/^[0-9A-Za-z]+$/.test(rest)) return false
  return checksum(rest.slice(0, RANDOM_LENGTH)) === rest.slice(RANDOM_LENGTH)
}

/** The token of an `Authorization` header, or null where it holds none. */
export function bearerToken(header: string | null | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? null
}

/** What is stored of a token: HMAC-SHA-256 under the server's secret, in hexadecimal. */
export function hashToken(token: string, secret: string): string {
  return createHmac('sha256', secret).update(token).digest('hex')
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = ALPHABET[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
