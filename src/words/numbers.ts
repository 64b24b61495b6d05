import { lazily } from '../lazily.ts'

/** No minus before a zero. */
const SIGN = { signDisplay: 'negative' } as const
const usual = lazily(() => new Intl.NumberFormat('en', SIGN))
const short = lazily(() => new Intl.NumberFormat('en', { ...SIGN, notation: 'compact', maximumFractionDigits: 1 }))

/** A number as people read it, with three decimals at most: `2,000`, `0.5`, `−3`. */
export function formatNumber(number: number): string {
  return withMinus(usual().format(number))
}

/** What was added or taken away: `+2,000`, `−3`, `0`. */
export function formatChange(number: number): string {
  return number > 0 ? `+${formatNumber(number)}` : formatNumber(number)
}

/** Rounded for the axis of a plot: `1.3K`. */
export function formatNumberShort(number: number): string {
  return withMinus(short().format(number))
}

/** With exactly so many decimals, as averages are compared: `4.0`. */
export function formatDecimal(number: number, digits: number): string {
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return withMinus(number.toLocaleString('en', { ...SIGN, ...decimals }))
}

/** The minus sign of a text that people read: screen readers say it, and no line breaks after it, unlike a hyphen. */
export function withMinus(text: string): string {
  return text.replace('-', '−')
}

/** With one decimal at most: `3.5%`. */
export function formatPercent(percent: number): string {
  return `${formatNumber(toTenths(percent))}%`
}

/** By how much something rose or fell: `+10%`, `−3.5%`. */
export function formatPercentChange(percent: number): string {
  return `${formatChange(toTenths(percent))}%`
}

function toTenths(number: number): number {
  return Math.round(number * 10) / 10
}
