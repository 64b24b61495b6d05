import { addMonths } from '../../../contract/values/months.ts'
import { DAY_MS, timestampOf } from '../../../contract/values/values.ts'
import type { Interval } from '../../../format/intervals.ts'

/** The average number of days, weeks, months and years in a month. */
const A_MONTH = { day: 365 / 12, week: 365 / 7 / 12, month: 1, year: 1 / 12 }

const DAYS: Partial<Record<Interval, number>> = { day: 1, week: 7 }
const MONTHS: Partial<Record<Interval, number>> = { month: 1, year: 12 }

export interface Cycle {
  interval: Interval
  interval_count: number
}

/**
 * Returns the end of the `n`th period after `anchor` by the UTC calendar. Not computed from the previous end, so that the day of the month
 * is kept (31 January, 28 February, 31 March).
 */
export function periodEnd(anchor: string, { interval, interval_count }: Cycle, n: number): string {
  const days = DAYS[interval]
  const count = interval_count * n
  if (days !== undefined) return timestampOf(new Date(Date.parse(anchor) + days * count * DAY_MS))
  return addMonths(anchor, MONTHS[interval]! * count)
}

/** Converts an amount per period to an amount per month, in minor units, rounded half up. */
export function monthlyAmount(amount: number, interval: Interval, count: number): number {
  return Math.floor((amount * A_MONTH[interval]) / count + 0.5)
}
