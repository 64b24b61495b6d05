import { momentOf, readingAt } from '../../../contract/values/wall-clock.ts'

const ZONE = 'America/Los_Angeles'
const DAY_MS = 24 * 60 * 60 * 1000

/** When quotas begin anew: the next midnight of the Pacific, in milliseconds since 1970. */
export function quotaRenewedAt(now: number): number {
  const days = Math.floor(readingAt(ZONE, now) / DAY_MS)
  return momentOf(ZONE, (days + 1) * DAY_MS)
}
