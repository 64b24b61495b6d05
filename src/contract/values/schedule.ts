import { nextReading, readCron } from './cron.ts'
import { timestampOf } from './values.ts'
import { momentOf, readingAt } from './wall-clock.ts'

/** When something is to happen. Moments are ISO 8601 in UTC, as answers write them. */
export type Schedule =
  /** Five fields: minute, hour, day of the month, month, weekday; `timeZone` is an IANA name. */
  | { kind: 'cron'; expression: string; timeZone: string }
  /** Every so many seconds, counted from a moment. */
  | { kind: 'interval'; seconds: number; from: string }
  | { kind: 'once'; at: string }

/**
 * The first moment after another that a schedule names; null when there is none. A time of day that the clock skips when it is set forward
 * happens at the first moment after the gap, and one that it shows twice happens the first time alone.
 */
export function nextTime(schedule: Schedule, after: string): string | null {
  const next = nextMoment(schedule, Date.parse(after))
  return next === null ? null : timestampOf(new Date(next))
}

/** What is wrong with a cron expression, as the rest of a sentence about it; null when nothing is. */
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
    // The clock was set back: what it shows now, it has shown before.
    reading = nextReading(cron, reading)
  }
  return null
}
