import { randomFillSync } from 'node:crypto'

const SUFFIX = '[0-7][0-9a-hjkmnp-tv-z]{25}'

/** The version (7), the counter of 12 bits and the variant (2) of a UUIDv7 fill four characters with two bits to spare: RFC 9562, sections 5.7 and 6.2. */
const VERSION = 7 << 16
const COUNTER_STEP = 1 << 4
const VARIANT = 2 << 2
const COUNTER_END = 1 << 16
const COUNTER_LENGTH = 4
const RANDOM_LENGTH = 12

/** Random bytes for the next ids: to ask for a few at a time takes longer than the id itself. */
const random = new Uint8Array(RANDOM_LENGTH * 512)
let used = random.length
let [lastMs, counter] = [0, 0]

/** A new id: prefix, underscore, 26 characters of Crockford base32 over a UUIDv7 (the TypeID form); later ids sort later. */
export function newId(prefix: string): string {
  const now = Date.now()
  counter += COUNTER_STEP
  if (now > lastMs || counter === COUNTER_END) [lastMs, counter] = [Math.max(now, lastMs + 1), 0]
  return `${prefix}_${timeDigits(lastMs)}${digitsOf(VERSION + counter + VARIANT, COUNTER_LENGTH)}${randomDigits()}`
}

function randomDigits(): string {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  let digits = ''
  for (const end = used + RANDOM_LENGTH; used < end; used++) digits += DIGITS[random[used]! % DIGITS.length]
  return digits
}

/** As `newId`, of a moment in milliseconds since 1970: it sorts among the ids that were made then. */
export function newIdAt(prefix: string, moment: number): string {
  const id = newId(prefix)
  const start = id.lastIndexOf('_') + 1
  return `${prefix}_${timeDigits(moment)}${id.slice(start + TIME_LENGTH)}`
}

function timeDigits(moment: number): string {
  return digitsOf(moment, TIME_LENGTH)
}

function digitsOf(value: number, length: number): string {
  let [left, digits] = [value, '']
  for (let place = 0; place < length; place++) {
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
