import { addDays } from '../../../contract/values/days.ts'
import { timestampOf, toTimestamp } from '../../../contract/values/values.ts'
import { momentOf, readingAt } from '../../../contract/values/wall-clock.ts'

/** What `<input type="datetime-local">` holds for a moment: the reading of a clock in the zone, `2026-05-05T10:30:00`. */
export function localInput(timestamp: string, timeZone: string): string {
  return new Date(readingAt(timeZone, Date.parse(timestamp))).toISOString().slice(0, 19)
}

/** The moment that such a reading means in the zone, as the API takes it. What is no reading is given back as it is. */
export function momentOfInput(given: string, timeZone: string): string {
  const [, day, time, seconds = ':00'] = /^(\d{4,5}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?)?$/.exec(given) ?? []
  const reading = day === undefined ? null : toTimestamp(`${day}T${time ?? '00:00'}${seconds}Z`)
  return reading === null ? given : timestampOf(new Date(momentOf(timeZone, Date.parse(reading))))
}

/** The day after one, which ends it; what is no day is given back as it is. */
export function dayAfter(day: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day) && toTimestamp(`${day}T00:00:00Z`) !== null
  return isDay ? addDays(day, 1) : day
}
