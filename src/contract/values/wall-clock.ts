import { Newest } from '../../newest.ts'

/** Zones whose formats are kept: each takes some kilobytes. */
const MOST_FORMATS = 200
const SECOND_MS = 1000
/** No zone is further from UTC than 14 hours, and none has two changes within this time. */
const AROUND_MS = 36 * 60 * 60 * SECOND_MS

const formats = new Newest<string, Intl.DateTimeFormat>(MOST_FORMATS)

/** What a clock on the wall of a time zone shows at a moment, as the milliseconds since 1970 that it would show in UTC. */
export function readingAt(timeZone: string, moment: number): number {
  const parts: Record<string, number> = {}
  for (const { type, value } of formatOf(timeZone).formatToParts(moment)) parts[type] = Number(value)
  const { year, month, day, hour, minute, second } = parts
  return Date.UTC(year!, month! - 1, day, hour, minute, second)
}

/**
 * The moment at which a clock on the wall shows a reading: the first of two when the clock is set back meanwhile, and the first
 * after the gap when it is set forward past the reading.
 */
export function momentOf(timeZone: string, reading: number): number {
  const [before, after] = [reading - AROUND_MS, reading + AROUND_MS].map(
    (moment) => readingAt(timeZone, moment) - moment,
  )
  const moments = [reading - Math.max(before!, after!), reading - Math.min(before!, after!)]
  const shown = moments.find((moment) => readingAt(timeZone, moment) === reading)
  return shown ?? endOfGap(timeZone, reading, moments[0]!, moments[1]!)
}

/** The clock shows less than the reading at `low`, or is about to, and more at `high`: the change is between them. */
function endOfGap(timeZone: string, reading: number, low: number, high: number): number {
  let [before, after] = [low - SECOND_MS, high]
  while (after - before > SECOND_MS) {
    const middle = before + Math.floor((after - before) / 2 / SECOND_MS) * SECOND_MS
    if (readingAt(timeZone, middle) > reading) after = middle
    else before = middle
  }
  return after
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
  const format = new Intl.DateTimeFormat('en-US', { timeZone, ...numeric, second: 'numeric', hourCycle: 'h23' })
  formats.set(timeZone, format)
  return format
}
