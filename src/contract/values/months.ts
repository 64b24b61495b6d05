import { timestampOf } from './values.ts'

/** A timestamp some calendar months later in UTC, as answers write it; see `monthsLater`. */
export function addMonths(timestamp: string, months: number): string {
  return timestampOf(monthsLater(timestamp, months))
}

/** The moment some calendar months later in UTC; a day that the month does not have is its last: 31 January, 28 February. */
export function monthsLater(timestamp: string, months: number): Date {
  const date = new Date(timestamp)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date
}
