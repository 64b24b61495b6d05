import { minorDigits } from '../../words/money.ts'
import { readAmount } from '../../words/money-input.ts'

/** What programs write: digits, a point and decimals. */
const WRITTEN_BY_PROGRAMS = /^(\d+)\.(\d+)$/

/**
 * The minor units that a cell means, exact; null when it cannot be told. As people type amounts (`readAmount`), also negative, and with
 * more zeros behind the point than the currency has decimals: `1200.00` in jpy is 1200.
 */
export function readMoney(text: string, currency: string): number | null {
  const [, minus = '', amount = ''] = /^([-−]?)(.*)$/s.exec(text.trim()) ?? []
  const units = readAmount(withoutZeros(amount, minorDigits(currency)), currency)
  if (units === null || units === 0) return units
  return minus === '' ? units : -units
}

/** Three decimals could be thousands, so they are left for `readAmount` to refuse. */
function withoutZeros(amount: string, digits: number): string {
  const [, whole, decimals] = WRITTEN_BY_PROGRAMS.exec(amount) ?? []
  if (whole === undefined || decimals === undefined || decimals.length <= digits || decimals.length === 3) return amount
  if (!/^0*$/.test(decimals.slice(digits))) return amount
  return digits === 0 ? whole : `${whole}.${decimals.slice(0, digits)}`
}
