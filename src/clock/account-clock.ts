import { timestampOf } from '../contract/values/values.ts'
import type { AccountClockRow } from '../database/system-tables.ts'

/** The clock of a test account: it showed `moment` at the real time `since`, and goes on as time does. */
export type AccountClock = Pick<AccountClockRow, 'moment' | 'since' | 'advance_id'>

/** What the clock shows at a real time. While it is being moved forward, it stands at the moment reached. */
export function shownBy({ moment, since, advance_id }: AccountClock, realNow: string): string {
  if (advance_id !== null) return moment
  const passedMs = Math.max(0, Date.parse(realNow) - Date.parse(since))
  return timestampOf(new Date(Date.parse(moment) + passedMs))
}
