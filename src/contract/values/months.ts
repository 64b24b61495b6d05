import { timestampOf } from './values.ts'

export function addMonths(timestamp: string, months: number): string {
  return timestampOf(monthsLater(timestamp, months))
}

/** Adds calendar months in UTC. A day that the month lacks becomes the month's last day: 31 January plus one month is 28 February. */
export function monthsLater(timestamp: string, months: number): Date {
  const date = new Date(timestamp)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date
}
