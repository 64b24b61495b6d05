export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The maximum amount of money, in minor units. */
export const MAX_AMOUNT = 99_999_999

/** Lower-case ISO 4217 codes. */
export const currencies: ReadonlySet<string> = new Set(
  Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()),
)

const ISO_8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/i

/** Converts `2025-01-15T12:30:00.5+02:00` to `2025-01-15T10:30:00Z`. Returns null if there is no such date, such as 30 February. */
export function toTimestamp(given: string): string | null {
  if (!ISO_8601.test(given)) return null
  const moment = new Date(
    given
      .replace(',', '.')
      .replace(/([+-]\d{2})(\d{2})$/, '$1:$2')
      .toUpperCase(),
  )
  if (Number.isNaN(moment.getTime()) || !dayExists(given)) return null
  const year = moment.getUTCFullYear()
  return year < 1970 || year > 9999 ? null : timestampOf(moment)
}

/** Returns a timestamp as in all responses: UTC, whole seconds, `Z`. */
export function timestampOf(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`
}

export function laterBy(timestamp: string, milliseconds: number): string {
  return timestampOf(new Date(Date.parse(timestamp) + milliseconds))
}

let second = 0
let secondText = ''

export function currentTimestamp(): string {
  const now = Math.floor(Date.now() / 1000)
  if (now !== second) [second, secondText] = [now, timestampOf(new Date(now * 1000))]
  return secondText
}

/** Returns the first characters of a text, without half of a surrogate pair at the end. */
export function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return /^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)
  } catch {
    return false
  }
}

/** Checks the day of the month, because `Date` would silently turn 30 February into 2 March. */
function dayExists(given: string): boolean {
  const [year, month, day] = given.slice(0, 10).split('-').map(Number) as [number, number, number]
  return day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** Concatenates strings into a flat one, because `JSON.stringify` takes twice as long for a rope, V8's form of templates and `+`. */
export function inOnePiece(...parts: string[]): string {
  return parts.join('')
}
