import { dayGiven } from '../../../contract/declarations/day.ts'
import { invalidParameter } from '../../../contract/declarations/errors.ts'
import { addDays, addYears, type Days, daysBetween, type Interval, intervalsOf } from '../../../contract/values/days.ts'
import { timestampOf } from '../../../contract/values/values.ts'
import { momentOf, readingAt } from '../../../contract/values/wall-clock.ts'
import type { Comparison } from './report.ts'

const DEFAULT_DAYS = 30
/** Every point adds work to each sum, so a range of ten years needs months as points. */
const MOST_DAYS = 3660
const MOST_POINTS = 400

/** `from` is inclusive and `until` is exclusive. */
export interface Span {
  from: string
  until: string
}

/** Consecutive days and the moments at which they begin and end. */
interface Step extends Span {
  days: Days
}

/** The days of a report in the account's time zone. */
export interface Range extends Days {
  interval: Interval
  /** One part per interval. The first and the last may be shorter than the interval. */
  steps: Step[]
  /** The time of the whole range, which ends at the present moment if its last day is not over. */
  span: Span
  /** The earlier range for comparison; null if none was requested. */
  before: Step | null
}

interface RangeQuery {
  from?: string | undefined
  to?: string | undefined
  interval?: Interval | undefined
  compare: Comparison
}

/** Returns the requested range, by default the last 30 days. Throws a 400 for invalid days and for a negative or too long range. */
export function rangeOf(asked: RangeQuery, now: string, timeZone: string): Range {
  const { from, to } = daysAsked(asked, dayAt(now, timeZone))
  const interval = intervalAsked({ from, to }, asked.interval)
  const momentAt = (day: string) => timestampOf(new Date(momentOf(timeZone, Date.parse(`${day}T00:00:00Z`))))
  const spanOf = (days: Days): Span => ({ from: momentAt(days.from), until: momentAt(addDays(days.to, 1)) })
  const stepOf = (days: Days): Step => ({ days, ...spanOf(days) })
  const steps = intervalsOf({ from, to }, interval).map(stepOf)
  const whole = spanOf({ from, to })
  const ends = timestampOf(new Date(Date.parse(now) + 1000))
  const isRunning = whole.from < ends && ends < whole.until
  const earlier = daysBefore({ from, to }, asked.compare)
  const before = earlier && stepOf(earlier)
  if (before && isRunning) before.until = sameHour(now, { from, compare: asked.compare }, before, timeZone)
  return { from, to, interval, steps, span: isRunning ? { ...whole, until: ends } : whole, before }
}

export function dayAt(moment: string, timeZone: string): string {
  return new Date(readingAt(timeZone, Date.parse(moment))).toISOString().slice(0, 10)
}

function daysAsked(asked: RangeQuery, today: string): Days {
  const to = dayGiven('to', asked.to) ?? today
  const from = dayGiven('from', asked.from) ?? addDays(to, 1 - DEFAULT_DAYS)
  if (from > to) throw invalidParameter('from', `must not be after ${to}, the last day`)
  if (daysBetween(from, to) >= MOST_DAYS)
    throw invalidParameter('from', `must be within the ${MOST_DAYS} days up to ${to}`)
  return { from, to }
}

/** Returns the requested interval; by default days for up to a quarter, weeks for a little over a year, and months beyond. */
function intervalAsked(days: Days, asked: Interval | undefined): Interval {
  const count = daysBetween(days.from, days.to) + 1
  const interval = asked ?? (count <= 93 ? 'day' : count <= MOST_POINTS ? 'week' : 'month')
  const points = intervalsOf(days, interval).length
  if (points > MOST_POINTS)
    throw invalidParameter('interval', `gives ${points} points, and a report has at most ${MOST_POINTS}; ask for month`)
  return interval
}

function daysBefore({ from, to }: Days, compare: Comparison): Days | null {
  if (compare === 'none') return null
  if (compare === 'year') return { from: addYears(from, -1), to: addYears(to, -1) }
  return { from: addDays(from, daysBetween(to, from) - 1), to: addDays(from, -1) }
}

/** Returns the end of the earlier range. While the range is in progress, the earlier range ends at the same day and hour of its own. */
function sameHour(
  now: string,
  { from, compare }: { from: string; compare: Comparison },
  before: Step,
  timeZone: string,
): string {
  const today = dayAt(now, timeZone)
  const day = compare === 'year' ? addYears(today, -1) : addDays(before.days.from, daysBetween(from, today))
  const passed = readingAt(timeZone, Date.parse(now)) - Date.parse(today)
  const same = momentOf(timeZone, Date.parse(day) + passed)
  const ends = timestampOf(new Date(same + 1000))
  return ends < before.until ? ends : before.until
}

const PARTS = 16

export interface Part extends Span {
  steps: readonly (Span & { place: number })[]
}

/** Splits a range into parts that are summed one after another, because one long sum would block other requests. */
export function partsOf({ steps, span }: { steps: readonly Span[]; span: Span }): Part[] {
  const each = Math.ceil(steps.length / PARTS)
  const groups = Array.from({ length: Math.ceil(steps.length / each) }, (_, group) =>
    steps.slice(group * each, (group + 1) * each),
  )
  return groups.flatMap((group) => {
    const [from, until] = [group[0]?.from ?? span.from, group.at(-1)?.until ?? span.until]
    const whole = { from, until: until < span.until ? until : span.until }
    return split(whole, Math.ceil(PARTS / groups.length)).map((part) => ({ ...part, steps: overlapping(part, steps) }))
  })
}

function overlapping(part: Span, steps: readonly Span[]): Part['steps'] {
  return steps
    .map(({ from, until }, place) => ({ from, until, place }))
    .filter(({ from, until }) => from < part.until && until > part.from)
}

/** Splits a span into about `count` spans of equal length, or none when it is empty. */
function split({ from, until }: Span, count: number): Span[] {
  const [begin, end] = [Date.parse(from), Date.parse(until)]
  const length = Math.max(Math.ceil((end - begin) / count / 1000), 1) * 1000
  const spans: Span[] = []
  for (let start = begin; start < end; start += length) {
    const next = Math.min(start + length, end)
    spans.push({ from: timestampOf(new Date(start)), until: timestampOf(new Date(next)) })
  }
  return spans
}
