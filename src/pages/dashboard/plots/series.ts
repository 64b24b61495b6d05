import { formatMoney, formatMoneyShort } from '../../../words/money.ts'
import { formatNumber, formatNumberShort } from '../../../words/numbers.ts'

/** One bar, or one place of a line. */
export interface Point {
  /** Under the axis, short: `5 May`. */
  tick: string
  /** In the table and when the pointer rests on it: `5 May 2026`. */
  label: string
  value: number
  /** Where what happened in it is listed: the point leads there. */
  address?: string | undefined
}

/** How values are written: whole in words and tables, short at the axis. */
export interface Unit {
  text(value: number): string
  short(value: number): string
  /** Values of the axis are whole numbers. */
  whole?: boolean
}

/** A number of things. */
export const COUNT: Unit = {
  text: formatNumber,
  short: formatNumberShort,
  whole: true,
}

/** Amounts of one currency. */
export function moneyUnit(currency: string): Unit {
  return { text: (value) => formatMoney(value, currency), short: (value) => formatMoneyShort(value, currency) }
}
