import { addDays } from '../../../contract/values/days.ts'
import { formatDayTick, formatMonthTick, formatShortDay } from '../../../format/moments.ts'
import { currencyCode, formatMoney, plainAmount } from '../../../format/money.ts'
import { formatNumber } from '../../../format/numbers.ts'
import { momentOfInput } from '../kit/times.ts'
import { DIMENSIONS, type Dimension, type Report, type Sold } from './asked.ts'

export interface Figure<Row> {
  /** The heading of the column in CSV files, which is also its name in addresses. */
  name: string
  words: string
  kind: 'text' | 'money' | 'count'
  of(row: Row): number | string | null
}

export type ReportRow = Sold['rows'][number]
export type Point = Sold['points'][number]
export type Movement = Sold['recurring']['points'][number]

const AMOUNTS = [
  ['gross', 'Gross', 'money'],
  ['discounts', 'Discounts', 'money'],
  ['refunds', 'Refunds', 'money'],
  ['tax', 'Tax', 'money'],
  ['net', 'Net', 'money'],
  ['orders', 'Orders', 'count'],
] as const

export function lineFigures(by: Dimension): Figure<ReportRow>[] {
  const units: Figure<ReportRow> = { name: 'units', words: 'Units', kind: 'count', of: ({ units }) => units }
  return [
    { name: 'name', words: DIMENSIONS[by], kind: 'text', of: ({ name }) => name },
    ...(by === 'product' || by === 'price' ? [units] : []),
    ...AMOUNTS.map(([name, words, kind]): Figure<ReportRow> => ({ name, words, kind, of: (line) => line[name] })),
  ]
}

export function pointFigures({ interval }: Pick<Report, 'interval'>): Figure<Point>[] {
  const buyers = [
    ['average_order', 'Average order', 'money'],
    ['new_buyers', 'New buyers', 'count'],
    ['returning_buyers', 'Returning buyers', 'count'],
  ] as const
  return [
    { name: interval, words: TITLES[interval], kind: 'text', of: daysText },
    ...[...AMOUNTS, ...buyers].map(
      ([name, words, kind]): Figure<Point> => ({ name, words, kind, of: (one) => one[name] }),
    ),
  ]
}

export function movementFigures({ interval }: Pick<Report, 'interval'>): Figure<Movement>[] {
  const moves = [
    ['new', 'New'],
    ['expansion', 'Expansion'],
    ['reactivation', 'Reactivation'],
    ['contraction', 'Contraction'],
    ['churn', 'Churn'],
    ['end', 'At the end'],
  ] as const
  return [
    { name: interval, words: TITLES[interval], kind: 'text', of: daysText },
    ...moves.map(([name, words]): Figure<Movement> => ({ name, words, kind: 'money', of: (one) => one[name] })),
  ]
}

export const TITLES = { day: 'Day', week: 'Week', month: 'Month' } as const

export function figureText<Row>({ kind, of }: Figure<Row>, row: Row, currency: string): string {
  const value = of(row)
  if (value === null) return '–'
  if (typeof value === 'string') return value
  return kind === 'money' ? formatMoney(value, currency) : formatNumber(value)
}

/** Formats a figure for CSV: amounts have no currency sign. */
export function plainFigure<Row>({ kind, of }: Figure<Row>, row: Row, currency: string): string {
  const value = of(row) ?? ''
  return kind === 'money' ? plainAmount(Number(value), currency) : String(value)
}

export function inCurrency(words: string, currency: string): string {
  return `${words} in ${currencyCode(currency)}`
}

interface Days {
  from: string
  to: string
}

/** Returns days in words: `3 Oct 2026`, or `28 Sep 2026 to 4 Oct 2026`. */
export function daysText({ from, to }: Days): string {
  return from === to ? dayText(from) : `${dayText(from)} to ${dayText(to)}`
}

/** Returns query parameters that filter the list of orders by time of payment. */
export function paidWithin(timezone: string, { from, to }: Days) {
  return { 'paid_at[gte]': momentOfInput(from, timezone), 'paid_at[lt]': momentOfInput(addDays(to, 1), timezone) }
}

/** Formats a calendar day in UTC, because a day has no time zone. */
export function dayText(day: string): string {
  return formatShortDay(`${day}T00:00:00Z`, 'UTC')
}

export function tickText({ interval }: Pick<Report, 'interval'>, { from }: Days): string {
  return interval === 'month' ? formatMonthTick(`${from}T00:00:00Z`, 'UTC') : formatDayTick(`${from}T00:00:00Z`, 'UTC')
}
