import { dayGiven } from '../../../contract/declarations/day.ts'
import { invalidParameter } from '../../../contract/declarations/errors.ts'
import { addDays, addYears, type Days, daysBetween, type Interval, intervalsOf } from '../../../contract/values/days.ts'
import { timestampOf } from '../../../contract/values/values.ts'
import { momentOf, readingAt } from '../../../contract/values/wall-clock.ts'
import type { Comparison } from './report.ts'

const DEFAULT_DAYS = 30
/** Ten years, in months. Each point is a step of every sum. */
const MOST_DAYS = 3660
const MOST_POINTS = 400

/** A span of time: from a moment until before another. */
export interface Span {
  from: string
  until: string
}

/** Some days, as moments. */
export interface Step extends Span {
  days: Days
}

/** The days that a report is about, as the clocks of the account's zone show them. */
export interface Range extends Days {
  interval: Interval
  /** Its intervals; the first and the last may be cut off by the range. */
  steps: Step[]
  /** The whole. It ends at midnight, or now where that is earlier. */
  span: Span
  /** What it is compared with. */
  before: Step | null
}

interface Asked {
  from?: string | undefined
  to?: string | undefined
  interval?: Interval | undefined
  compare: Comparison
}

/** The range that is asked for, by default the last 30 days. Throws a 400 for what is no day, too long, or the wrong way round. */
export function rangeOf(asked: Asked, now: string, timeZone: string): Range {
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
  if (before && isRunning) before.until = sameHour(now, { from, to }, before, timeZone)
  return { from, to, interval, steps, span: isRunning ? { ...whole, until: ends } : whole, before }
}

function dayAt(moment: string, timeZone: string): string {
  return new Date(readingAt(timeZone, Date.parse(moment))).toISOString().slice(0, 10)
}

function daysAsked(asked: Asked, today: string): Days {
  const to = dayGiven('to', asked.to) ?? today
  const from = dayGiven('from', asked.from) ?? addDays(to, 1 - DEFAULT_DAYS)
  if (from > to) throw invalidParameter('from', `must not be after ${to}, the last day`)
  if (daysBetween(from, to) >= MOST_DAYS)
    throw invalidParameter('from', `must be within the ${MOST_DAYS} days up to ${to}`)
  return { from, to }
}

/** Days up to a quarter, weeks up to a year and a bit, months beyond, unless another interval is asked for. */
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

/** A range that is not over is compared with as much of the earlier one: until the same hour of the same day of it. */
function sameHour(now: string, range: Days, before: Step, timeZone: string): string {
  const reading = readingAt(timeZone, Date.parse(now))
  const passed = reading - Date.parse(`${range.from}T00:00:00Z`)
  const same = momentOf(timeZone, Date.parse(`${before.days.from}T00:00:00Z`) + passed)
  const ends = timestampOf(new Date(same + 1000))
  return ends < before.until ? ends : before.until
}

/** Spans that a range is summed in. */
const PARTS = 16

/** A part of a range, with the steps that it touches and their places in the range. */
export interface Part extends Span {
  steps: readonly (Span & { place: number })[]
}

/** The range in parts that are summed one after the other, so that nobody has to wait for the sum of a long one. */
export function partsOf({ steps, span }: { steps: readonly Span[]; span: Span }): Part[] {
  const each = Math.ceil(steps.length / PARTS)
  const groups = Array.from({ length: Math.ceil(steps.length / each) }, (_, group) =>
    steps.slice(group * each, (group + 1) * each),
  )
  return groups.flatMap((group) => {
    const [from, until] = [group[0]?.from ?? span.from, group.at(-1)?.until ?? span.until]
    const whole = { from, until: until < span.until ? until : span.until }
    return split(whole, Math.ceil(PARTS / groups.length)).map((part) => ({ ...part, steps: touched(part, steps) }))
  })
}

function touched(part: Span, steps: readonly Span[]): Part['steps'] {
  return steps
    .map(({ from, until }, place) => ({ from, until, place }))
    .filter(({ from, until }) => from < part.until && until > part.from)
}

/** A span in about so many of equal length; none where it is empty. */
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
