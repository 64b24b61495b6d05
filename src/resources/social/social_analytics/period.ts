import { invalidParameter } from '../../../contract/declarations/errors.ts'
import { oneOf } from '../../../contract/declarations/kinds.ts'
import { laterBy } from '../../../contract/values/values.ts'
import { dayField } from './social_analytics.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const DEFAULT_DAYS = 30
const MOST_DAYS = 366
/** Days that can be asked about: those that timestamps are made of, with room for a year before and after. */
const [FIRST_DAY, LAST_DAY] = ['1971-01-01', '9998-12-31']

export interface Period {
  from: string
  to: string
}

export type Interval = 'day' | 'week' | 'month'

/** The parameters of every operation about figures. */
export const PERIOD = {
  from: dayField('First day, such as 2026-01-15. Default: 30 days including the last'),
  to: dayField('Last day, at most 366 days including the first. Default: today'),
}

export const INTERVAL = oneOf(['day', 'week', 'month'], 'Interval between points; weeks begin on Monday')

/** The days that are asked about, by default the last 30. Throws a 400 for what is no day, too long, or the wrong way round. */
export function periodOf(now: string, given: { from?: string; to?: string }): Period {
  const to = dayOf('to', given.to) ?? now.slice(0, 10)
  const from = dayOf('from', given.from) ?? addDays(to, 1 - DEFAULT_DAYS)
  if (from > to) throw invalidParameter('from', `must not be after ${to}, the last day`)
  if (daysBetween(from, to) >= MOST_DAYS)
    throw invalidParameter('from', `must be within the ${MOST_DAYS} days up to ${to}`)
  return { from, to }
}

function dayOf(name: string, given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  const at = Date.parse(`${given}T00:00:00Z`)
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== given)
    throw invalidParameter(name, 'is not a valid date; write it like 2026-01-15')
  if (given < FIRST_DAY || given > LAST_DAY)
    throw invalidParameter(name, `must be a day from ${FIRST_DAY} to ${LAST_DAY}`)
  return given
}

export function addDays(date: string, days: number): string {
  return laterBy(`${date}T00:00:00Z`, days * DAY_MS).slice(0, 10)
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)
}

/** The intervals of a period without a gap; the first and the last may be cut off by it. */
export function intervalsOf({ from, to }: Period, interval: Interval): Period[] {
  const intervals: Period[] = []
  for (let start = from; start <= to; ) {
    const next = nextStart(start, interval)
    const last = addDays(next, -1)
    intervals.push({ from: start, to: last < to ? last : to })
    start = next
  }
  return intervals
}

function nextStart(date: string, interval: Interval): string {
  if (interval === 'day') return addDays(date, 1)
  const day = new Date(`${date}T00:00:00Z`)
  if (interval === 'week') return addDays(date, 7 - ((day.getUTCDay() + 6) % 7))
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1)).toISOString().slice(0, 10)
}
