import { DAY_MS, MINUTE_MS } from './values.ts'
export interface Cron {
  /** In milliseconds since midnight, in ascending order. */
  times: number[]
  days: ReadonlySet<number>
  /** From 1, which is January. */
  months: ReadonlySet<number>
  /** From 0, which is Sunday. */
  weekdays: ReadonlySet<number>
  /** True if neither day field starts with `*`. A day then needs to match only one of them, the day of month or the weekday. */
  eitherDay: boolean
}

interface CronField {
  name: string
  min: number
  max: number
  words?: string[]
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

const FIELDS: CronField[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of the month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, words: MONTHS },
  // Both 7 and 0 are Sunday.
  { name: 'weekday', min: 0, max: 7, words: WEEKDAYS },
]

/** The Gregorian calendar, weekdays included, repeats after this number of years. */
const CALENDAR_YEARS = 400
const LAST_YEAR = 9999

class CronError extends Error {}

/** Parses an expression such as `30 9 * * mon-fri`. Returns the problem of an invalid one as the rest of a sentence. */
export function readCron(expression: string): Cron | string {
  try {
    const cron = parse(expression)
    if (nextDay(cron, 0) !== null) return cron
    return 'never occurs: none of its months has such a day'
  } catch (error) {
    if (error instanceof CronError) return error.message
    throw error
  }
}

/**
 * Returns the first matching time later than `after`, or null if there is none until the year 9999. Both are local wall-clock times,
 * encoded as if they were UTC in milliseconds since 1970.
 */
export function nextReading(cron: Cron, after: number): number | null {
  const sinceMidnight = ((after % DAY_MS) + DAY_MS) % DAY_MS
  const today = after - sinceMidnight
  if (isDay(cron, new Date(today))) {
    const later = cron.times.find((time) => time > sinceMidnight)
    if (later !== undefined) return today + later
  }
  const day = nextDay(cron, today)
  return day === null ? null : day + cron.times[0]!
}

function nextDay(cron: Cron, after: number): number | null {
  const start = new Date(after)
  for (let month = 0; month <= CALENDAR_YEARS * 12; month += 1) {
    const first = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + month, 1))
    if (first.getUTCFullYear() > LAST_YEAR) return null
    if (!cron.months.has(first.getUTCMonth() + 1)) continue
    const day = new Date(Math.max(first.getTime(), after + DAY_MS))
    for (; day.getUTCMonth() === first.getUTCMonth(); day.setUTCDate(day.getUTCDate() + 1))
      if (isDay(cron, day)) return day.getTime()
  }
  return null
}

function isDay({ days, months, weekdays, eitherDay }: Cron, date: Date): boolean {
  if (!months.has(date.getUTCMonth() + 1)) return false
  const [isDate, isWeekday] = [days.has(date.getUTCDate()), weekdays.has(date.getUTCDay())]
  return eitherDay ? isDate || isWeekday : isDate && isWeekday
}

function parse(expression: string): Cron {
  const parts = expression.trim().split(/\s+/)
  if (parts.length !== FIELDS.length) {
    const count = expression.trim() === '' ? 'none' : parts.length
    throw new CronError(`needs 5 fields (minute, hour, day, month, weekday), such as "30 9 * * 1", not ${count}`)
  }
  const [minutes, hours, days, months, weekdays] = FIELDS.map((field, index) => valuesOf(field, parts[index]!))
  return {
    times: [...hours!].flatMap((hour) => [...minutes!].map((minute) => (hour * 60 + minute) * MINUTE_MS)),
    days: days!,
    months: months!,
    weekdays: new Set([...weekdays!].map((weekday) => weekday % WEEKDAYS.length)),
    eitherDay: !parts[2]!.startsWith('*') && !parts[4]!.startsWith('*'),
  }
}

function valuesOf(field: CronField, text: string): Set<number> {
  const values = text.split(',').flatMap((item) => itemValues(field, item))
  return new Set(values.sort((one, other) => one - other))
}

function itemValues(field: CronField, item: string): number[] {
  const [range = '', step, more] = item.split('/')
  const [from = '', to, extra] = range.split('-')
  if (more !== undefined || extra !== undefined || (step !== undefined && to === undefined && from !== '*'))
    throw unreadable(field, item)
  const [first, last] =
    range === '*' ? [field.min, field.max] : [numberOf(field, from), numberOf(field, to === undefined ? from : to)]
  if (first > last) throw new CronError(`has the ${field.name} ${item}, which ends before it starts`)
  const by = step === undefined ? 1 : stepOf(field, item, step)
  return Array.from({ length: Math.floor((last - first) / by) + 1 }, (_, index) => first + index * by)
}

function numberOf(field: CronField, text: string): number {
  const word = field.words?.indexOf(text.toLowerCase()) ?? -1
  if (word >= 0) return field.min + word
  if (!/^\d{1,4}$/.test(text)) throw unreadable(field, text)
  const value = Number(text)
  if (value >= field.min && value <= field.max) return value
  throw new CronError(`has the ${field.name} ${text}, which must be ${field.min} to ${field.max}`)
}

function stepOf(field: CronField, item: string, text: string): number {
  const step = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (step >= 1) return step
  throw new CronError(`has the ${field.name} ${item}, whose step must be a number of 1 or more`)
}

function unreadable({ name, min, max, words }: CronField, text: string): CronError {
  const names = words ? ` or ${words[1]}` : ''
  return new CronError(`has the ${name} "${text}", which must be *, ${min} to ${max}${names}, 1-5, 1,3,5 or */2`)
}
