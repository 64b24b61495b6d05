import { Newest } from '../../../contract/values/newest.ts'
import { timestampOf, toTimestamp } from '../../../contract/values/values.ts'
import { momentOf, readingAt } from '../../../contract/values/wall-clock.ts'

const MOST_FORMATS = 200
const formats = new Newest<string, Intl.DateTimeFormat>(MOST_FORMATS)

/** `5 May 2026, 10:30` in a time zone. */
export function momentText(timestamp: string, timeZone: string): string {
  return formatOf(timeZone, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(timestamp))
}

/** `5 May 2026, 10:30:15` in a time zone: where seconds matter. */
export function exactText(timestamp: string, timeZone: string): string {
  return formatOf(timeZone, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(timestamp))
}

/** `5 May 2026` in a time zone. */
export function dateText(timestamp: string, timeZone: string): string {
  return formatOf(timeZone, { dateStyle: 'medium' }).format(new Date(timestamp))
}

/** `5 May` in a time zone. */
export function dayTick(timestamp: string, timeZone: string): string {
  return formatOf(timeZone, { day: 'numeric', month: 'short' }).format(new Date(timestamp))
}

/** `May 2026` in a time zone. */
export function monthText(timestamp: string, timeZone: string): string {
  return formatOf(timeZone, { month: 'long', year: 'numeric' }).format(new Date(timestamp))
}

/** `May` in a time zone. */
export function monthTick(timestamp: string, timeZone: string): string {
  return formatOf(timeZone, { month: 'short' }).format(new Date(timestamp))
}

function formatOf(timeZone: string, style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timeZone} ${Object.entries(style).join(' ')}`
  const known = formats.get(key)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, ...style })
  formats.set(key, format)
  return format
}

/** What `<input type="datetime-local">` holds for a moment: the reading of a clock in the zone, `2026-05-05T10:30:00`. */
export function localInput(timestamp: string, timeZone: string): string {
  return new Date(readingAt(timeZone, Date.parse(timestamp))).toISOString().slice(0, 19)
}

/** The moment that such a reading means in the zone, as the API takes it. What is no reading is given back as it is. */
export function momentOfInput(given: string, timeZone: string): string {
  const [, day, time, seconds = ':00'] = /^(\d{4,5}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d)?)?$/.exec(given) ?? []
  const reading = day === undefined ? null : toTimestamp(`${day}T${time ?? '00:00'}${seconds}Z`)
  return reading === null ? given : timestampOf(new Date(momentOf(timeZone, Date.parse(reading))))
}
