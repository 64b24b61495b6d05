import { nextReading, readCron } from './cron.ts'
import { timestampOf } from './values.ts'
import { momentOf, readingAt } from './wall-clock.ts'

export type Schedule =
  /** `expression` has five fields: minute, hour, day of the month, month, weekday. `timeZone` is an IANA name. */
  | { kind: 'cron'; expression: string; timeZone: string }
  | { kind: 'interval'; seconds: number; from: string }
  | { kind: 'once'; at: string }

/**
 * Returns the next time of a schedule, or null if there is none. A time of day that is skipped when clocks go forward moves to the end of
 * the gap; one that is repeated when clocks go back counts only the first time.
 */
export function nextTime(schedule: Schedule, after: string): string | null {
  const next = nextMoment(schedule, Date.parse(after))
  return next === null ? null : timestampOf(new Date(next))
}

export function cronProblem(expression: string): string | null {
  const read = readCron(expression)
  return typeof read === 'string' ? read : null
}

function nextMoment(schedule: Schedule, after: number): number | null {
  switch (schedule.kind) {
    case 'cron':
      return nextOfCron(schedule, after)
    case 'interval': {
      const [from, each] = [Date.parse(schedule.from), schedule.seconds * 1000]
      return from + Math.max(1, Math.floor((after - from) / each) + 1) * each
    }
    case 'once':
      return Date.parse(schedule.at) > after ? Date.parse(schedule.at) : null
  }
}

function nextOfCron({ expression, timeZone }: Extract<Schedule, { kind: 'cron' }>, after: number): number | null {
  const cron = readCron(expression)
  if (typeof cron === 'string') throw new Error(`The cron expression ${expression} ${cron}`)
  let reading = nextReading(cron, readingAt(timeZone, after))
  while (reading !== null) {
    const moment = momentOf(timeZone, reading)
    if (moment > after) return moment
    // The clock went back, and the first time that it showed this reading was before `after`.
    reading = nextReading(cron, reading)
  }
  return null
}
