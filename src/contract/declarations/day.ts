import { isDay } from '../values/days.ts'
import { invalidParameter } from './errors.ts'
import { text } from './kinds.ts'

/** The first and last accepted day. Comparisons with the previous or next year must stay within the years that timestamps allow. */
const [FIRST_DAY, LAST_DAY] = ['1971-01-01', '9998-12-31']

export function day(description: string) {
  return text(description, {
    max: 10,
    pattern: /^\d{4}-\d{2}-\d{2}$/,
    says: 'must be a date such as 2026-01-15',
    example: '2026-01-15',
  })
}

/** Checks a day in a query parameter. Throws a 400 for an invalid day or one outside the accepted range. */
export function dayGiven(param: string, given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  if (!isDay(given)) throw invalidParameter(param, 'is not a valid date; write it like 2026-01-15')
  if (given < FIRST_DAY || given > LAST_DAY)
    throw invalidParameter(param, `must be a day from ${FIRST_DAY} to ${LAST_DAY}`)
  return given
}
