import { timestampOf } from '../contract/values/values.ts'
import type { AccountClockRow } from '../database/system-tables.ts'

/** The clock of a test account. It showed `moment` at the real time `since`, and runs at normal speed from there. */
export type AccountClock = Pick<AccountClockRow, 'moment' | 'since' | 'advance_id'>

/** Returns the time that the clock shows at a real time. During an advance, the clock stands at the time reached so far. */
export function shownBy({ moment, since, advance_id }: AccountClock, realNow: string): string {
  if (advance_id !== null) return moment
  const passedMs = Math.max(0, Date.parse(realNow) - Date.parse(since))
  return timestampOf(new Date(Date.parse(moment) + passedMs))
}
