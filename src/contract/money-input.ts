import { minorDigits } from './money-text.ts'
import { MAX_AMOUNT } from './values.ts'

/** An amount as a field of a form holds it, without its currency: `1250.00`, `2900`. */
export function amountInput(amount: number, currency: string): string {
  const digits = minorDigits(currency)
  return (amount / 10 ** digits).toFixed(digits)
}

/**
 * The minor units that a person means, or null when it cannot be told: `12.5`, `12,50`, `1,250`, `1.250,00`, `$ 12`. A
 * separator that is followed by three digits divides thousands, unless the currency has three decimals.
 */
export function readAmount(text: string, currency: string): number | null {
  const digits = minorDigits(currency)
  const written = text.replaceAll(/[\s\u00a0'’]|^\p{Sc}|\p{Sc}$/gu, '')
  if (!/^\d[\d.,]*$/.test(written) || written.length > 20) return null
  const [whole, fraction] = partsOf(written, digits)
  if (whole === null || fraction.length > digits) return null
  const amount = Number(whole + fraction.padEnd(digits, '0'))
  return amount <= MAX_AMOUNT ? amount : null
}

/** Digits before and after the decimal separator; null when the groups before it are no thousands. */
function partsOf(written: string, digits: number): [whole: string | null, fraction: string] {
  const last = Math.max(written.lastIndexOf('.'), written.lastIndexOf(','))
  if (last < 0) return [written, '']
  const after = written.slice(last + 1)
  const separators = written.replaceAll(/\d/g, '')
  const thousands = after.length === 3 && digits !== 3 && new Set(separators).size === 1
  if (thousands) return [ungrouped(written), '']
  return separators.slice(0, -1).includes(written[last]!) ? [null, ''] : [ungrouped(written.slice(0, last)), after]
}

function ungrouped(written: string): string | null {
  return /^\d{1,3}([.,]\d{3})*$|^\d+$/.test(written) ? written.replaceAll(/[.,]/g, '') : null
}
