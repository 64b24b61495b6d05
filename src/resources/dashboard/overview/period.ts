import { timestampOf } from '../../../contract/values/values.ts'
import { momentOf, readingAt } from '../../../contract/values/wall-clock.ts'

const SIZES = {
  '7d': { interval: 'day', count: 7 },
  '30d': { interval: 'day', count: 30 },
  '12m': { interval: 'month', count: 12 },
} as const

export type Range = keyof typeof SIZES
type Interval = 'day' | 'month'

export interface Period {
  interval: Interval
  /** The start of each day or month, oldest first. */
  starts: string[]
  /** One second after the present moment; exclusive. */
  until: string
  /** The same part of the preceding period, for comparison. */
  before: { from: string; until: string }
}

export function periodOf(range: Range, now: string, timeZone: string): Period {
  const { interval, count } = SIZES[range]
  const reading = new Date(readingAt(timeZone, Date.parse(now)))
  const startOf = (back: number) => timestampOf(new Date(momentOf(timeZone, stepStart(reading, interval, back))))
  const starts = Array.from({ length: count }, (_, index) => startOf(count - 1 - index))
  const until = secondAfter(now)
  const [from, same] = [startOf(2 * count - 1), momentOf(timeZone, earlier(reading, interval, count))]
  const ended = timestampOf(new Date(same + 1000))
  return { interval, starts, until, before: { from, until: ended < starts[0]! ? ended : starts[0]! } }
}

/** Adds a second, because the end of a period is exclusive and sales of the current second are included. */
function secondAfter(timestamp: string): string {
  return timestampOf(new Date(Date.parse(timestamp) + 1000))
}

/** Returns the start of the day or month `back` steps ago. Local times are represented as milliseconds in UTC. */
function stepStart(reading: Date, interval: Interval, back: number): number {
  const [year, month, day] = [reading.getUTCFullYear(), reading.getUTCMonth(), reading.getUTCDate()]
  return interval === 'day' ? Date.UTC(year, month, day - back) : Date.UTC(year, month - back, 1)
}

/** Returns the same local time `back` days or months ago, or on the last day of a shorter month. */
function earlier(reading: Date, interval: Interval, back: number): number {
  if (interval === 'day') return reading.getTime() - back * 24 * 60 * 60 * 1000
  const first = new Date(Date.UTC(reading.getUTCFullYear(), reading.getUTCMonth() - back, 1))
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  const midnight = Date.UTC(reading.getUTCFullYear(), reading.getUTCMonth(), reading.getUTCDate())
  const time = reading.getTime() - midnight
  return first.getTime() + (Math.min(reading.getUTCDate(), lastDay) - 1) * 24 * 60 * 60 * 1000 + time
}
