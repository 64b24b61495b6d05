import type { Interval } from '../../../words/intervals.ts'

/** How often each interval falls into a month. */
const A_MONTH = { day: 365 / 12, week: 365 / 7 / 12, month: 1, year: 1 / 12 }

/** What an amount per period comes to in a month, in whole minor units, rounded half up for each subscription by itself. */
export function monthlyAmount(amount: number, interval: Interval, count: number): number {
  return Math.floor((amount * A_MONTH[interval]) / count + 0.5)
}
