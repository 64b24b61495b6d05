import { timestampOf } from '../contract/values/values.ts'
import type { AccountClockRow } from '../database/system-tables.ts'

/** The clock of a test account: it showed `moment` at the real time `since`, and runs at the speed of real time. */
export type AccountClock = Pick<AccountClockRow, 'moment' | 'since' | 'advance_id'>

/** Returns what the clock shows at a real time. While an advance moves it, the clock is stopped at the moment reached so far. */
export function shownBy({ moment, since, advance_id }: AccountClock, realNow: string): string {
  if (advance_id !== null) return moment
  const passedMs = Math.max(0, Date.parse(realNow) - Date.parse(since))
  return timestampOf(new Date(Date.parse(moment) + passedMs))
}
