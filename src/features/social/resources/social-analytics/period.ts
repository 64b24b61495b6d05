import { day, dayGiven } from '../../../../contract/declarations/day.ts'
import { invalidParameter } from '../../../../contract/declarations/errors.ts'
import { oneOf, text } from '../../../../contract/declarations/kinds.ts'
import { exampleId } from '../../../../contract/declarations/noun.ts'
import { addDays, type Days, daysBetween } from '../../../../contract/values/days.ts'
import { PLATFORM_NAMES } from '../social-platform/social-platform.ts'

const DEFAULT_DAYS = 30
const MOST_DAYS = 366

/** The query parameters of all operations that return figures. */
export const PERIOD = {
  from: day('First day, such as 2026-01-15. Default: 30 days including the last'),
  to: day('Last day, at most 366 days including the first. Default: today'),
}

/** The query parameters that select accounts. */
export const ACCOUNTS = {
  platform: oneOf(PLATFORM_NAMES, 'Only accounts on this platform'),
  social_account: text('Only the account with this id', { max: 200, example: exampleId('sacct') }),
}

export const INTERVAL = oneOf(['day', 'week', 'month'], 'Interval between points; weeks begin on Monday')

/** Returns the requested days, by default the last 30. Throws a 400 for invalid days and for a negative or too long range. */
export function periodOf(now: string, given: { from?: string; to?: string }): Days {
  const to = dayGiven('to', given.to) ?? now.slice(0, 10)
  const from = dayGiven('from', given.from) ?? addDays(to, 1 - DEFAULT_DAYS)
  if (from > to) throw invalidParameter('from', `must not be after ${to}, the last day`)
  if (daysBetween(from, to) >= MOST_DAYS)
    throw invalidParameter('from', `must be within the ${MOST_DAYS} days up to ${to}`)
  return { from, to }
}
