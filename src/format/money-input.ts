import { minorDigits, plainAmount } from './money.ts'

const LONGEST = 30

/** Returns examples of amounts that can be typed in a currency, for messages: `12.50 or 1,250.00`, `1250 or 1,250`. */
export function amountExamples(currency: string): string {
  const unit = 10 ** minorDigits(currency)
  const large = plainAmount(1250 * unit, currency)
  const small = unit === 1 ? large : plainAmount(12.5 * unit, currency)
  return `${small} or ${large.replace('1250', '1,250')}`
}

/**
 * Parses an amount that a person typed into minor units; null if it is ambiguous or invalid. Accepts `12.5`, `12,50`, separated thousands
 * (`1,250.00`, `1.250,00`, `1 250`) and the currency's sign or code at either end. A single separator before three digits is ambiguous,
 * except in currencies without decimals and, for a point, in those with three or more. Callers check the range.
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
  // Returns early, because most amounts have no currency and building a regular expression is expensive.
  if (/^\d(.*\d)?$/.test(trimmed)) return trimmed
  const sign = String.raw`(?:\p{Sc}|${currency})`
  return trimmed.replace(new RegExp(`^${sign}|${sign}$`, 'iu'), '').trim()
}

/** Returns whether the last separator precedes decimals and all others group thousands. */
function isDecimal(separators: string[], parts: string[], digits: number): boolean {
  const last = separators.at(-1)
  const before = separators.slice(0, -1)
  if ((last !== '.' && last !== ',') || before.includes(last)) return false
  const decimals = parts.at(-1)!.length
  if (decimals > digits || !areThousands(before, parts.slice(0, -1))) return false
  return decimals !== 3 || last === '.' || before.length > 0
}

/** Returns whether all separators are equal and divide the digits into groups of three. */
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
