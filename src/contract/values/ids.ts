import { typeidUnboxed } from 'typeid-js'

const SUFFIX = '[0-7][0-9a-hjkmnp-tv-z]{25}'

/** Returns a prefix, an underscore, and a UUIDv7 in 26 characters of Crockford base32 (TypeID). Later ids sort later. */
export function newId(prefix: string): string {
  return typeidUnboxed(prefix)
}

/** Like `newId`, but the id sorts among those created at `moment`, in milliseconds since 1970. */
export function newIdAt(prefix: string, moment: number): string {
  const id = newId(prefix)
  const start = id.lastIndexOf('_') + 1
  return `${prefix}_${timeDigits(moment)}${id.slice(start + TIME_LENGTH)}`
}

function timeDigits(moment: number): string {
  let [left, digits] = [moment, '']
  for (let place = 0; place < TIME_LENGTH; place++) {
    digits = DIGITS[left % DIGITS.length]! + digits
    left = Math.floor(left / DIGITS.length)
  }
  return digits
}

export function idPattern(prefix: string): RegExp {
  return new RegExp(`^${prefix}_${SUFFIX}$`)
}

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'
/** The length of the timestamp after the prefix: ten characters, which encode 48 bits. */
const TIME_LENGTH = 10

/** Returns whether this process made an id after another one. Ids of one millisecond have an order, too, unlike their times. */
export function isLaterId(id: string, other: string): boolean {
  return id.slice(id.lastIndexOf('_')) > other.slice(other.lastIndexOf('_'))
}

/** Returns the creation time in an id, in milliseconds since 1970. */
export function idTimeMs(id: string): number {
  const start = id.lastIndexOf('_') + 1
  return [...id.slice(start, start + TIME_LENGTH)].reduce(
    (sum, digit) => sum * DIGITS.length + DIGITS.indexOf(digit),
    0,
  )
}
