const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const TIMESTAMP = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z/g

/** `5 May 2026`, in UTC, which the calendar of subscriptions follows. */
export function asDate(timestamp: string): string {
  return DATE.format(new Date(timestamp))
}

/** `5 May 2026 at 10:30 UTC`. */
export function asMoment(timestamp: string): string {
  return `${asDate(timestamp)} at ${timestamp.slice(11, 16)} UTC`
}

/** Words of a rule with their timestamps as people write them. */
export function withDates(words: string): string {
  return words.replaceAll(TIMESTAMP, asMoment)
}
