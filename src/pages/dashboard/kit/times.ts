import { addDays } from '../../../contract/values/days.ts'
import { timestampOf, toTimestamp } from '../../../contract/values/values.ts'
import { momentOf, readingAt } from '../../../contract/values/wall-clock.ts'

/** Returns the local time for `<input type="datetime-local">`: `2026-05-05T10:30:00`. */
export function localInput(timestamp: string, timeZone: string): string {
  return new Date(readingAt(timeZone, Date.parse(timestamp))).toISOString().slice(0, 19)
}

/** Converts a local time in the time zone to a timestamp. Text that is not a time is returned unchanged. */
export function momentOfInput(given: string, timeZone: string): string {
  const [, day, time, seconds = ':00'] = /^(\d{4,5}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?)?$/.exec(given) ?? []
  const reading = day === undefined ? null : toTimestamp(`${day}T${time ?? '00:00'}${seconds}Z`)
  return reading === null ? given : timestampOf(new Date(momentOf(timeZone, Date.parse(reading))))
}

/** Returns the day after `day`, which is the exclusive end of a range. Text that is not a day is returned unchanged. */
export function dayAfter(day: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day) && toTimestamp(`${day}T00:00:00Z`) !== null
  return isDay ? addDays(day, 1) : day
}
