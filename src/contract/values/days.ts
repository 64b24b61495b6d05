import { DAY_MS, laterBy } from './values.ts'

/** An inclusive range of days, each in the form `2026-01-15`. */
export interface Days {
  from: string
  to: string
}

export type Interval = 'day' | 'week' | 'month'

/** Whether a text is an existing date in the form YYYY-MM-DD. */
export function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === text
}

export function addDays(day: string, days: number): string {
  return laterBy(`${day}T00:00:00Z`, days * DAY_MS).slice(0, 10)
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)
}

/** Returns the same day of another year, or 28 February if that year has no 29th. */
export function addYears(day: string, years: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  const [year, month] = [date.getUTCFullYear() + years, date.getUTCMonth()]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay))).toISOString().slice(0, 10)
}

/** Splits days into intervals without gaps; the first and last may be partial. Weeks start on Monday. */
export function intervalsOf({ from, to }: Days, interval: Interval): Days[] {
  const intervals: Days[] = []
  for (let start = from; start <= to; ) {
    const next = nextStart(start, interval)
    const last = addDays(next, -1)
    intervals.push({ from: start, to: last < to ? last : to })
    start = next
  }
  return intervals
}

/** Returns the first day of the next interval. */
export function nextStart(day: string, interval: Interval): string {
  if (interval === 'day') return addDays(day, 1)
  const date = new Date(`${day}T00:00:00Z`)
  if (interval === 'week') return addDays(day, 7 - ((date.getUTCDay() + 6) % 7))
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)).toISOString().slice(0, 10)
}
