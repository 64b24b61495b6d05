const formats = new Map<string, Intl.DateTimeFormat>()

/** The day of a moment as people in a time zone read it: `14 March 2026`. */
export function formatDay(timestamp: string, timeZone: string): string {
  return formatOf(timeZone).format(new Date(timestamp))
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone })
    formats.set(timeZone, format)
  }
  return format
}
