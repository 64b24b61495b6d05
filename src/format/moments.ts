import { BoundedMap } from '../bounded-map.ts'

const TIMESTAMP = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z/g

/** The maximum number of cached formats, which take some kilobytes each. */
const MOST_FORMATS = 200
const formats = new BoundedMap<string, Intl.DateTimeFormat>(MOST_FORMATS)

/** Formats a date in a time zone: `14 March 2026`. */
export const formatDay = formatter({ dateStyle: 'long' })
/** Formats a date in a time zone: `14 Mar 2026`. */
export const formatShortDay = formatter({ dateStyle: 'medium' })
/** Formats a date and time in a time zone: `14 Mar 2026, 10:30`. */
export const formatMoment = formatter({ dateStyle: 'medium', timeStyle: 'short' })
/** Formats a time to the second, for comparison with logs: `14 Mar 2026, 10:30:15`. */
export const formatExactMoment = formatter({ dateStyle: 'medium', timeStyle: 'medium' })
/** Formats a time of day in a time zone: `10:30`. */
export const formatTime = formatter({ timeStyle: 'short' })
/** Formats a date for the axis of a chart: `14 Mar`. */
export const formatDayTick = formatter({ day: 'numeric', month: 'short' })
/** Formats a month: `March 2026`. */
export const formatMonth = formatter({ month: 'long', year: 'numeric' })
/** Formats a month where the year is shown nearby: `March`. */
export const formatMonthName = formatter({ month: 'long' })
/** Formats a month for the axis of a chart: `Mar`. */
export const formatMonthTick = formatter({ month: 'short' })

/** Formats a date in UTC, in which subscription periods are counted, for readers whose time zone is unknown: `14 March 2026`. */
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
