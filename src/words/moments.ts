import { Newest } from '../newest.ts'

const TIMESTAMP = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z/g

/** Each takes some kilobytes. */
const MOST_FORMATS = 200
const formats = new Newest<string, Intl.DateTimeFormat>(MOST_FORMATS)

/** The day of a moment as people in a time zone read it: `14 March 2026`. */
export function formatDay(timestamp: string, timeZone: string): string {
  return formatIn(timestamp, timeZone, { dateStyle: 'long' })
}

/** The same in little room: `14 Mar 2026`. */
export function formatShortDay(timestamp: string, timeZone: string): string {
  return formatIn(timestamp, timeZone, { dateStyle: 'medium' })
}

/** `14 Mar 2026, 10:30` */
export function formatMoment(timestamp: string, timeZone: string): string {
  return formatIn(timestamp, timeZone, { dateStyle: 'medium', timeStyle: 'short' })
}

/** `14 Mar 2026, 10:30:15`, for what people compare with logs. */
export function formatExactMoment(timestamp: string, timeZone: string): string {
  return formatIn(timestamp, timeZone, { dateStyle: 'medium', timeStyle: 'medium' })
}

/** The time of the day: `10:30`. */
export function formatTime(timestamp: string, timeZone: string): string {
  return formatIn(timestamp, timeZone, { timeStyle: 'short' })
}

/** `14 Mar`, at the axis of a plot. */
export function formatDayTick(timestamp: string, timeZone: string): string {
  return formatIn(timestamp, timeZone, { day: 'numeric', month: 'short' })
}

/** `March 2026` */
export function formatMonth(timestamp: string, timeZone: string): string {
  return formatIn(timestamp, timeZone, { month: 'long', year: 'numeric' })
}

/** `March`, where the year is said next to it. */
export function formatMonthName(timestamp: string, timeZone: string): string {
  return formatIn(timestamp, timeZone, { month: 'long' })
}

/** `Mar`, at the axis of a plot. */
export function formatMonthTick(timestamp: string, timeZone: string): string {
  return formatIn(timestamp, timeZone, { month: 'short' })
}

/** `14 March 2026`, for readers whose time zone is not known: in UTC, which the calendar of subscriptions follows. */
export function formatUtcDay(timestamp: string): string {
  return formatDay(timestamp, 'UTC')
}

/** `14 March 2026 at 10:30 UTC` */
export function formatUtcMoment(timestamp: string): string {
  return `${formatUtcDay(timestamp)} at ${formatTime(timestamp, 'UTC')} UTC`
}

/** The words of a rule, with their timestamps as people write them. */
export function withUtcMoments(words: string): string {
  return words.replaceAll(TIMESTAMP, formatUtcMoment)
}

/** `America/New_York` → `America/New York` */
export function zoneInWords(timeZone: string): string {
  return timeZone.replaceAll('_', ' ')
}

function formatIn(timestamp: string, timeZone: string, style: Intl.DateTimeFormatOptions): string {
  const key = `${timeZone} ${Object.entries(style).join(' ')}`
  const known = formats.get(key)
  if (known) return known.format(new Date(timestamp))
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, ...style })
  formats.set(key, format)
  return format.format(new Date(timestamp))
}
