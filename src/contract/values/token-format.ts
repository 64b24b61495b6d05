import { createHmac, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The prefix by which people and secret scanners recognise our tokens. */
export const TOKEN_PREFIX = 'shpw_'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 30
const CHECKSUM_LENGTH = 6

/** Returns a prefix, 30 random base62 characters (178 bits), and their CRC-32 in six base62 characters. */
export function newToken(prefix = TOKEN_PREFIX): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return `${prefix}${random}${checksum(random)}`
}

/** Whether to look the token up: false if it is empty, very long, or has our prefix and a wrong checksum. */
export function couldBeToken(token: string): boolean {
  if (!token.startsWith(TOKEN_PREFIX)) return token.length > 0 && token.length <= 512
  return isWhole(token, TOKEN_PREFIX)
}

export function isWhole(token: string, prefix: string): boolean {
  if (!token.startsWith(prefix)) return false
  const rest = token.slice(prefix.length)
  if (rest.length !== RANDOM_LENGTH + CHECKSUM_LENGTH || !/^[0-9A-Za-z]+$/.test(rest)) return false
  return checksum(rest.slice(0, RANDOM_LENGTH)) === rest.slice(RANDOM_LENGTH)
}

export function bearerToken(header: string | null | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? null
}

/** Returns the stored form of a token: HMAC-SHA-256 with the server's secret, in hexadecimal. */
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
