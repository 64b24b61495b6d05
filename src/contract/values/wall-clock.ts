import { BoundedMap } from '../../runtime/bounded-map.ts'

/** The maximum number of cached formats, which take a few kilobytes each. */
const MAX_FORMATS = 200
const SECOND_MS = 1000
/** A time span around a clock change. Zones differ from UTC by at most 14 hours, and none changes its clocks twice in this span. */
const AROUND_MS = 36 * 60 * 60 * SECOND_MS

const formats = new BoundedMap<string, Intl.DateTimeFormat>(MAX_FORMATS)

/** Returns a reading: the local wall-clock time of a zone, encoded as if it were UTC in milliseconds since 1970. */
export function readingAt(timeZone: string, moment: number): number {
  const parts: Record<string, number> = {}
  for (const { type, value } of formatOf(timeZone).formatToParts(moment)) parts[type] = Number(value)
  const { year, month, day, hour, minute, second } = parts
  return Date.UTC(year!, month! - 1, day, hour, minute, second)
}

/** Returns the moment at which clocks show a reading: the first of two if they go back, or the end of the gap if they skip it. */
export function momentOf(timeZone: string, reading: number): number {
  return momentsOf(timeZone, reading)[0] ?? endOfGap(timeZone, reading)
}

/** Returns every moment at which the zone's clocks show the reading: two if they go back, none if they skip it. */
export function momentsOf(timeZone: string, reading: number): number[] {
  return candidates(timeZone, reading).filter(
    (moment, index, all) => readingAt(timeZone, moment) === reading && all.indexOf(moment) === index,
  )
}

/** An offset of a zone from UTC and the time from which it applies, both in milliseconds. */
export interface OffsetSpan {
  from: number
  offset: number
}

/** Returns the offsets of a zone over a period of at most 36 hours: one, or two if its clocks change. */
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

/** Returns the times at which the clock may show a reading, earlier first, from the offsets before and after it. */
function candidates(timeZone: string, reading: number): [number, number] {
  const [before, after] = [reading - AROUND_MS, reading + AROUND_MS].map((moment) => offsetAt(timeZone, moment))
  return [reading - Math.max(before!, after!), reading - Math.min(before!, after!)]
}

/** Returns the end of a gap: the first time at which the clock shows more than the skipped reading. */
function endOfGap(timeZone: string, reading: number): number {
  const [low, high] = candidates(timeZone, reading)
  return firstMoment(low - SECOND_MS, high, (moment) => readingAt(timeZone, moment) > reading)
}

/** Returns the first whole second after `low` for which `holds` is true, given that `holds` is true at `high`. */
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
