import { monthsLater } from '../contract/values/months.ts'
import { timestampOf } from '../contract/values/values.ts'

const SECOND_MS = 1000
const FIXED_MS: Record<string, number> = {
  second: SECOND_MS,
  minute: 60 * SECOND_MS,
  hour: 60 * 60 * SECOND_MS,
  day: 24 * 60 * 60 * SECOND_MS,
  week: 7 * 24 * 60 * 60 * SECOND_MS,
}
const MONTHS: Record<string, number> = { month: 1, year: 12 }

export const DURATION_UNITS = [...Object.keys(FIXED_MS), ...Object.keys(MONTHS)].map((unit) => `${unit}s`)

/** Adds a duration such as `3 months`; null if it is invalid. 31 January plus one month is the last day of February. */
export function afterDuration(moment: string, count: string, unit: string): string | null {
  const number = /^\d{1,9}$/.test(count) ? Number(count) : Number.NaN
  const name = unit.toLowerCase().replace(/s$/, '')
  const fixed = Object.hasOwn(FIXED_MS, name) ? FIXED_MS[name]! * number : undefined
  const months = Object.hasOwn(MONTHS, name) ? MONTHS[name]! * number : undefined
  if (Number.isNaN(number) || (fixed === undefined && months === undefined)) return null
  const after = fixed === undefined ? monthsLater(moment, months!) : new Date(Date.parse(moment) + fixed)
  return Number.isNaN(after.getTime()) || after.getUTCFullYear() > 9999 ? null : timestampOf(after)
}
