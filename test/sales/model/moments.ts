/** A moment of the model: minutes since 1970 began, in UTC. Its calendar is its own, so that it cannot repeat an error of the shop's. */
export type Minutes = number

const HOUR = 60
export const DAY = 24 * HOUR

export type Interval = 'day' | 'week' | 'month' | 'year'

/** The moment some cycles after another; a day that the month does not have is its last. */
export function cyclesAfter(from: Minutes, interval: Interval, cycles: number): Minutes {
  if (interval === 'day') return from + cycles * DAY
  if (interval === 'week') return from + cycles * 7 * DAY
  return monthsAfter(from, interval === 'month' ? cycles : cycles * 12)
}

export function monthsAfter(from: Minutes, months: number): Minutes {
  const day = Math.floor(from / DAY)
  const [year, month, date] = dateOf(day)
  const place = year * 12 + (month - 1) + months
  const [toYear, toMonth] = [Math.floor(place / 12), (place % 12) + 1]
  return dayOf(toYear, toMonth, Math.min(date, daysIn(toYear, toMonth))) * DAY + (from - day * DAY)
}

function daysIn(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** As the shop writes it. */
export function written(moment: Minutes): string {
  const day = Math.floor(moment / DAY)
  const [year, month, date] = dateOf(day)
  const minute = moment - day * DAY
  const two = (number: number) => String(number).padStart(2, '0')
  return `${year}-${two(month)}-${two(date)}T${two(Math.floor(minute / HOUR))}:${two(minute % HOUR)}:00Z`
}

/** The number of a day, from 0 on 1 January 1970. */
export function dayOf(year: number, month: number, date: number): number {
  let days = date - 1
  for (let one = 1970; one < year; one++) days += daysOfYear(one)
  for (let one = 1; one < month; one++) days += daysIn(year, one)
  return days
}

function dateOf(day: number): [year: number, month: number, date: number] {
  let [year, month, left] = [1970, 1, day]
  while (left >= daysOfYear(year)) left -= daysOfYear(year++)
  while (left >= daysIn(year, month)) left -= daysIn(year, month++)
  return [year, month, left + 1]
}

function daysOfYear(year: number): number {
  return isLeap(year) ? 366 : 365
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}
