import { timestampOf } from '../contract/values.ts'

/** The clock of a test account: it stands at `moment` until the real time `since`, and goes on from there as time does. */
export interface AccountClock {
  moment: string
  /** Later than now while the clock is being moved forward; whoever moves it postpones this again and again. */
  since: string
}

/** What the clock shows at a real time. */
export function shownBy({ moment, since }: AccountClock, realNow: string): string {
  const passedMs = Math.max(0, Date.parse(realNow) - Date.parse(since))
  return timestampOf(new Date(Date.parse(moment) + passedMs))
}
