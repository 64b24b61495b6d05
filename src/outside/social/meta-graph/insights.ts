import { isRefusedAlone, orElse } from '../refused.ts'
import type { Insights } from './api.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** The figures of an object by their names, where it is one number each. */
export function totalsIn({ data }: Insights): Map<string, number> {
  return new Map(data.map(({ name, values, total_value }) => [name, numberIn(total_value?.value ?? values[0]?.value)]))
}

/** The figures of each day by their names. A value belongs to the day before its `end_time`. */
export function daysIn({ data }: Insights): Map<string, Map<string, number>> {
  const days = new Map<string, Map<string, number>>()
  for (const { name, values } of data)
    for (const { value, end_time } of values) {
      const end = Date.parse(end_time ?? '')
      if (Number.isNaN(end)) continue
      const date = new Date(end - DAY_MS).toISOString().slice(0, 10)
      days.set(date, (days.get(date) ?? new Map<string, number>()).set(name, numberIn(value)))
    }
  return days
}

function numberIn(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.round(value)) : 0
}

/** Figures that the network does not give for this object, such as those of a page with few followers, are none. */
export function orNone(asked: Promise<Insights>): Promise<Insights> {
  return orElse(asked, { data: [] }, isRefusedAlone)
}

/** Seconds since 1970 of the beginning of a day, or of one so many days later. */
export function secondsOf(day: string, later = 0): string {
  return String((Date.parse(`${day}T00:00:00Z`) + later * DAY_MS) / 1000)
}

export function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10)
}
