import { lazy } from '../runtime/lazy.ts'

/** Omits the minus sign before zero. */
const SIGN = { signDisplay: 'negative' } as const
const usual = lazy(() => new Intl.NumberFormat('en', SIGN))
const short = lazy(() => new Intl.NumberFormat('en', { ...SIGN, notation: 'compact', maximumFractionDigits: 1 }))

/** Formats a number for people with at most three decimals: `2,000`, `0.5`, `−3`. */
export function formatNumber(number: number): string {
  return withMinus(usual().format(number))
}

/** Formats a change with its sign: `+2,000`, `−3`, `0`. */
export function formatChange(number: number): string {
  return number > 0 ? `+${formatNumber(number)}` : formatNumber(number)
}

/** Formats a rounded number for the axis of a chart: `1.3K`. */
export function formatNumberShort(number: number): string {
  return withMinus(short().format(number))
}

/** Formats a number with a fixed number of decimals, so that averages are easy to compare: `4.0`. */
export function formatDecimal(number: number, digits: number): string {
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return withMinus(number.toLocaleString('en', { ...SIGN, ...decimals }))
}

/** Replaces the hyphen with a minus sign, which screen readers read aloud and after which lines do not break. */
export function withMinus(text: string): string {
  return text.replace('-', '−')
}

/** Formats a percentage with at most one decimal: `3.5%`. */
export function formatPercent(percent: number): string {
  return `${formatNumber(toTenths(percent))}%`
}

/** Formats a relative change: `+10%`, `−3.5%`. */
export function formatPercentChange(percent: number): string {
  return `${formatChange(toTenths(percent))}%`
}

function toTenths(number: number): number {
  return Math.round(number * 10) / 10
}
