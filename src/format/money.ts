import { withMinus } from './numbers.ts'

/** The number of decimals of currencies that do not have two (ISO 4217). For some of them, Intl uses a different number. */
const OTHER_DIGITS: Readonly<Record<string, number>> = {
  ...digitsOfAll('bif clp djf gnf isk jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf', 0),
  ...digitsOfAll('bhd iqd jod kwd lyd omr tnd', 3),
  ...digitsOfAll('clf uyw', 4),
}
const USUAL_DIGITS = 2

const formats = new Map<string, Intl.NumberFormat>()

/** Returns the number of decimals of a currency: 2 for usd, 0 for jpy, 3 for kwd. */
export function minorDigits(currency: string): number {
  return OTHER_DIGITS[currency] ?? USUAL_DIGITS
}

export function currencyCode(currency: string): string {
  return currency.toUpperCase()
}

/** Formats an amount for form fields, CSV and markup: `12.50` and `-0.05` in usd, `2900` in jpy. The result is exact for any amount. */
export function plainAmount(amount: number, currency: string): `${number}` {
  const digits = minorDigits(currency)
  const units = String(Math.abs(Math.round(amount))).padStart(digits + 1, '0')
  const whole = units.slice(0, units.length - digits)
  const sign = amount < 0 ? '-' : ''
  return `${sign}${whole}${digits > 0 ? `.${units.slice(-digits)}` : ''}` as `${number}`
}

/** Formats minor units for people: `$29.00`, `¥2,900`, `KWD 1.500`, `−€5.00`. The blank after a currency code is non-breaking. */
export function formatMoney(amount: number, currency: string): string {
  const digits = minorDigits(currency)
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return withMinus(formatOf(currency, fraction).format(plainAmount(amount, currency)))
}

/** Formats a change with its sign: `+$1.00`, `−$1.00`. */
export function formatMoneyChange(amount: number, currency: string): string {
  return `${amount > 0 ? '+' : ''}${formatMoney(amount, currency)}`
}

/** Formats a rounded amount for the axis of a chart: `$1.3K`. */
export function formatMoneyShort(amount: number, currency: string): string {
  const short = { currencyDisplay: 'narrowSymbol', notation: 'compact' } as const
  const format = formatOf(currency, { ...short, minimumFractionDigits: 0, maximumFractionDigits: 1 })
  return withMinus(format.format(amount / 10 ** minorDigits(currency)))
}

function formatOf(currency: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${currency} ${options.notation}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.NumberFormat('en', { style: 'currency', currency, signDisplay: 'negative', ...options })
    formats.set(key, format)
  }
  return format
}

/** Returns the same number of decimals for each of the currency codes. */
export function digitsOfAll(codes: string, digits: number): Record<string, number> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, digits]))
}
