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
  return momentsOf(timeZone, reading)[0] ?? endOfGap(timeZone, reading)
}

/** Every moment at which a clock on the wall shows a reading: two when it is set back meanwhile, and none when it is set forward past it. */
export function momentsOf(timeZone: string, reading: number): number[] {
  return candidates(timeZone, reading).filter(
    (moment, index, all) => readingAt(timeZone, moment) === reading && all.indexOf(moment) === index,
  )
}

/** How far the clocks of a zone are ahead of UTC from a moment on, both in milliseconds. */
export interface OffsetSpan {
  from: number
  offset: number
}

/** The offsets that a zone has from a moment until another, at most 36 hours later: one, or two when its clocks are changed meanwhile. */
export function offsetsBetween(timeZone: string, from: number, until: number): OffsetSpan[] {
  const offset = offsetAt(timeZone, from)
  const last = offsetAt(timeZone, until - SECOND_MS)
  if (offset === last) return [{ from, offset }]
  const change = firstMoment(from, until, (moment) => offsetAt(timeZone, moment) === last)
  return [
    { from, offset },
    { from: change, offset: last },
  ]
}

function offsetAt(timeZone: string, moment: number): number {
  return readingAt(timeZone, moment) - moment
}

/** The earlier comes first. */
function candidates(timeZone: string, reading: number): [number, number] {
  const [before, after] = [reading - AROUND_MS, reading + AROUND_MS].map((moment) => offsetAt(timeZone, moment))
  return [reading - Math.max(before!, after!), reading - Math.min(before!, after!)]
}

/** The clock shows less than the reading at the first candidate, or is about to, and more at the other: the change is between them. */
function endOfGap(timeZone: string, reading: number): number {
  const [low, high] = candidates(timeZone, reading)
  return firstMoment(low - SECOND_MS, high, (moment) => readingAt(timeZone, moment) > reading)
}

/** The first whole second after `low` from which on something holds that holds at `high`. */
function firstMoment(low: number, high: number, holds: (moment: number) => boolean): number {
  let [before, after] = [low, high]
  while (after - before > SECOND_MS) {
    const middle = before + Math.floor((after - before) / 2 / SECOND_MS) * SECOND_MS
    if (holds(middle)) after = middle
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
