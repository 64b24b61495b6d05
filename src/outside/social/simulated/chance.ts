import { createHash } from 'node:crypto'

/** A fingerprint of a text, in hexadecimal digits. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** A number from `least` to `most` that looks random and is always the same for the same text. */
export function chance(text: string, least: number, most: number): number {
  const share = Number.parseInt(hashOf(text).slice(0, 8), 16) / 0xffffffff
  return least + share * (most - least)
}

/** As `chance`, a whole number. */
export function count(text: string, least: number, most: number): number {
  return Math.min(most, Math.floor(chance(text, least, most + 1)))
}
