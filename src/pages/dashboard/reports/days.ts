import { addDays } from '../../../contract/values/days.ts'
import { formatDayTick, formatMonthTick, formatShortDay } from '../../../words/moments.ts'
import { momentOfInput } from '../kit/times.ts'
import type { Report } from './asked.ts'

interface Days {
  from: string
  to: string
}

/** `3 Oct 2026`, or `28 Sep 2026 to 4 Oct 2026`. */
export function daysText({ from, to }: Days): string {
  return from === to ? dayText(from) : `${dayText(from)} to ${dayText(to)}`
}

/** The bounds of days, as the list of orders takes them. */
export function paidWithin(timezone: string, { from, to }: Days) {
  return { 'paid_at[gte]': momentOfInput(from, timezone), 'paid_at[lt]': momentOfInput(addDays(to, 1), timezone) }
}

/** A day of the calendar has no time zone. */
export function dayText(day: string): string {
  return formatShortDay(`${day}T00:00:00Z`, 'UTC')
}

/** Under the axis of a plot. */
export function tickText({ interval }: Pick<Report, 'interval'>, { from }: Days): string {
  return interval === 'month' ? formatMonthTick(`${from}T00:00:00Z`, 'UTC') : formatDayTick(`${from}T00:00:00Z`, 'UTC')
}
