import { readingAt } from '../../../contract/values/wall-clock.ts'

/** An hour of the week; Monday is 1. */
export interface LocalHour {
  weekday: number
  hour: number
}

/** At which hour of the week a moment is, as clocks in a time zone show it. */
export function localHourOf(moment: string, timeZone: string): LocalHour {
  const reading = new Date(readingAt(timeZone, Date.parse(moment)))
  return { weekday: ((reading.getUTCDay() + 6) % 7) + 1, hour: reading.getUTCHours() }
}
