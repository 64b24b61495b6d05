import { minorDigits, plainAmount } from './money.ts'

/** No amount that a field takes is as long, blanks and separators included. */
const LONGEST = 30

/** Amounts that can be typed in a currency, for messages: `12.50 or 1,250.00`, `1250 or 1,250`. */
export function amountExamples(currency: string): string {
  const unit = 10 ** minorDigits(currency)
  const large = plainAmount(1250 * unit, currency)
  const small = unit === 1 ? large : plainAmount(12.5 * unit, currency)
  return `${small} or ${large.replace('1250', '1,250')}`
}

/**
 * The minor units that a person means, or null when it cannot be told. This is how amounts are read wherever people type them:
 * a point or a comma before the decimals (`12.5`, `12,50`); points, commas, blanks or apostrophes between groups of three
 * digits (`1,250.00`, `1.250,00`, `1 250`); and the sign or the code of the currency at either end. One point or comma before
 * three digits could be either, so it is refused, except that it divides thousands where there are no decimals, and that a
 * point is decimal where there are three or more, since pages write it so. How large an amount may be is for others to say.
 */
export function readAmount(text: string, currency: string): number | null {
  const written = withoutCurrency(text, currency)
  if (written.length > LONGEST || !/^\d+([\s'’.,]\d+)*$/.test(written)) return null
  const separators = written.match(/\D/g) ?? []
  const parts = written.split(/\D/)
  const digits = minorDigits(currency)
  if (isDecimal(separators, parts, digits)) return minorUnits(parts.slice(0, -1).join(''), parts.at(-1)!, digits)
  return areThousands(separators, parts) && !isAmbiguous(separators, digits)
    ? minorUnits(parts.join(''), '', digits)
    : null
}

function withoutCurrency(text: string, currency: string): string {
  const trimmed = text.trim()
  // Most amounts have none, and an expression is costly to make.
  if (/^\d(.*\d)?$/.test(trimmed)) return trimmed
  const sign = String.raw`(?:\p{Sc}|${currency})`
  return trimmed.replace(new RegExp(`^${sign}|${sign}$`, 'iu'), '').trim()
}

/** Whether the last separator is followed by decimals, and any others divide thousands. */
function isDecimal(separators: string[], parts: string[], digits: number): boolean {
  const last = separators.at(-1)
  const before = separators.slice(0, -1)
  if ((last !== '.' && last !== ',') || before.includes(last)) return false
  const decimals = parts.at(-1)!.length
  if (decimals > digits || !areThousands(before, parts.slice(0, -1))) return false
  return decimals !== 3 || last === '.' || before.length > 0
}

/** Whether equal separators divide digits into groups of three. */
function areThousands(separators: string[], [first = '', ...groups]: string[]): boolean {
  if (separators.length === 0) return true
  const isGrouped = first.length <= 3 && groups.every((group) => group.length === 3)
  return isGrouped && separators.every((separator) => separator === separators[0])
}

function isAmbiguous(separators: string[], digits: number): boolean {
  return digits > 0 && separators.length === 1 && /[.,]/.test(separators[0]!)
}

function minorUnits(whole: string, decimals: string, digits: number): number | null {
  const amount = Number(whole + decimals.padEnd(digits, '0'))
  return Number.isSafeInteger(amount) ? amount : null
}
