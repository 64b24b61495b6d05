import { withMinus } from './numbers.ts'

/** Digits after the point by ISO 4217, where they are not two. Intl follows other tables for some of these. */
const OTHER_DIGITS: Readonly<Record<string, number>> = {
  ...everyOne('bif clp djf gnf isk jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf', 0),
  ...everyOne('bhd iqd jod kwd lyd omr tnd', 3),
  ...everyOne('clf uyw', 4),
}
const USUAL_DIGITS = 2

const formats = new Map<string, Intl.NumberFormat>()

/** How many digits of an amount stand after the point: 2 for usd, 0 for jpy, 3 for kwd. */
export function minorDigits(currency: string): number {
  return OTHER_DIGITS[currency] ?? USUAL_DIGITS
}

/** The code of a currency as people read it: `USD`. */
export function currencyCode(currency: string): string {
  return currency.toUpperCase()
}

/**
 * An amount in digits and a point alone, without its currency, as fields of forms, CSV and markup for programs hold it, exact
 * at any size: `12.50` and `-0.05` in usd, `2900` in jpy.
 */
export function plainAmount(amount: number, currency: string): `${number}` {
  const digits = minorDigits(currency)
  const units = String(Math.abs(Math.round(amount))).padStart(digits + 1, '0')
  const whole = units.slice(0, units.length - digits)
  const sign = amount < 0 ? '-' : ''
  return `${sign}${whole}${digits > 0 ? `.${units.slice(-digits)}` : ''}` as `${number}`
}

/**
 * An amount as people read it, in English: `$29.00`, `¥2,900`, `KWD 1.500`, `−€5.00`. `amount` is in minor units, `currency`
 * a lower-case ISO 4217 code. The blank after a code is one that breaks no line.
 */
export function formatMoney(amount: number, currency: string): string {
  const digits = minorDigits(currency)
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return withMinus(formatOf(currency, fraction).format(plainAmount(amount, currency)))
}

/** What was added or taken away: `+$1.00`, `−$1.00`. */
export function formatMoneyChange(amount: number, currency: string): string {
  return `${amount > 0 ? '+' : ''}${formatMoney(amount, currency)}`
}

/** As `formatMoney`, rounded for the axis of a plot: `$1.3K`. */
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

function everyOne(codes: string, digits: number): Record<string, number> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, digits]))
}
