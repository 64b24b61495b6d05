import { typeidUnboxed } from 'typeid-js'

const SUFFIX = '[0-7][0-9a-hjkmnp-tv-z]{25}'

/** A new id: prefix, underscore, 26 characters of Crockford base32 over a UUIDv7 (the TypeID form); later ids sort later. */
export function newId(prefix: string): string {
  return typeidUnboxed(prefix)
}

/** As `newId`, of a moment in milliseconds since 1970: it sorts among the ids that were made then. */
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

/** Matches the ids of one prefix, and nothing else. */
export function idPattern(prefix: string): RegExp {
  return new RegExp(`^${prefix}_${SUFFIX}$`)
}

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'
/** The first ten of its characters hold the 48 bits of the time. */
const TIME_LENGTH = 10

/** When an id was made, in milliseconds since 1970. */
export function idTimeMs(id: string): number {
  const start = id.lastIndexOf('_') + 1
  return [...id.slice(start, start + TIME_LENGTH)].reduce(
    (sum, digit) => sum * DIGITS.length + DIGITS.indexOf(digit),
    0,
  )
}
