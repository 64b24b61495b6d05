/** An hour of the week; Monday is 1. */
export interface LocalHour {
  weekday: number
  hour: number
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Makes a function that says at which hour of the week a moment is, as clocks in a time zone show it. */
export function localHours(timeZone: string): (moment: string) => LocalHour {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'short', hour: '2-digit', hourCycle: 'h23' })
  return (moment) => {
    const parts = new Map(format.formatToParts(new Date(moment)).map(({ type, value }) => [type, value]))
    return { weekday: WEEKDAYS.indexOf(parts.get('weekday')!) + 1, hour: Number(parts.get('hour')) }
  }
}
