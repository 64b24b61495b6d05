const MINUTE_MS = 60_000
/** Records take their time until name servers everywhere have them. */
const LONGEST_PAUSE_MS = 60 * MINUTE_MS
const GIVE_UP_MS = 3 * 24 * 60 * MINUTE_MS

/** How long to wait before a domain is looked up again that was asked for at `since`: longer and longer, for three days. Null after them. */
export function nextPauseMs(now: string, since: string): number | null {
  const waited = Date.parse(now) - Date.parse(since)
  return waited >= GIVE_UP_MS ? null : Math.min(LONGEST_PAUSE_MS, Math.max(MINUTE_MS, waited))
}
