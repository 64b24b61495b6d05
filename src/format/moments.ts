import { BoundedMap } from '../runtime/bounded-map.ts'

const TIMESTAMP = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z/g

/** The maximum number of cached formats; each takes a few kilobytes. */
const MOST_FORMATS = 200
const formats = new BoundedMap<string, Intl.DateTimeFormat>(MOST_FORMATS)

/** `14 March 2026` */
export const formatDay = formatter({ dateStyle: 'long' })
/** `14 Mar 2026` */
export const formatShortDay = formatter({ dateStyle: 'medium' })
/** `14 Mar 2026, 10:30` */
export const formatMoment = formatter({ dateStyle: 'medium', timeStyle: 'short' })
/** `14 Mar 2026, 10:30:15` */
export const formatExactMoment = formatter({ dateStyle: 'medium', timeStyle: 'medium' })
/** `10:30` */
export const formatTime = formatter({ timeStyle: 'short' })
/** `14 Mar` */
export const formatDayTick = formatter({ day: 'numeric', month: 'short' })
/** `March 2026` */
export const formatMonth = formatter({ month: 'long', year: 'numeric' })
/** `March` */
export const formatMonthName = formatter({ month: 'long' })
/** `Mar` */
export const formatMonthTick = formatter({ month: 'short' })

/** Formats a date for readers whose time zone is unknown: `14 March 2026`. Subscription periods are counted in UTC, too. */
export function formatUtcDay(timestamp: string): string {
  return formatDay(timestamp, 'UTC')
}

/** Formats a date and time in UTC: `14 March 2026 at 10:30 UTC`. */
export function formatUtcMoment(timestamp: string): string {
  return `${formatUtcDay(timestamp)} at ${formatTime(timestamp, 'UTC')} UTC`
}

/** Replaces the timestamps in a text with dates for people. */
export function withUtcMoments(words: string): string {
  return words.replaceAll(TIMESTAMP, formatUtcMoment)
}

/** Returns the name of a time zone for people: `America/New_York` → `America/New York`. */
export function zoneInWords(timeZone: string): string {
  return timeZone.replaceAll('_', ' ')
}

function formatter(style: Intl.DateTimeFormatOptions): (timestamp: string, timeZone: string) => string {
  const styleKey = Object.entries(style).join(' ')
  return (timestamp, timeZone) => {
    const key = `${timeZone} ${styleKey}`
    let format = formats.get(key)
    if (!format) {
      format = new Intl.DateTimeFormat('en-GB', { timeZone, ...style })
      formats.set(key, format)
    }
    return format.format(new Date(timestamp))
  }
}
