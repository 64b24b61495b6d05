/** The pause before a retry is randomly up to this share longer or shorter, so that failed deliveries are not all retried at once. */
const JITTER = 0.1

/**
 * Returns the time of the next attempt in Unix milliseconds; null if there are no more attempts. `made` is the number of attempts so far,
 * and `waitMs` is the wait that the endpoint has requested.
 */
export function nextAttemptMs(
  gapsMs: readonly number[],
  { made, nowMs, waitMs }: { made: number; nowMs: number; waitMs: number },
  random: () => number = Math.random,
): number | null {
  const gapMs = gapsMs[made - 1]
  if (gapMs === undefined) return null
  const jittered = gapMs * (1 + JITTER * (2 * random() - 1))
  return nowMs + Math.round(Math.max(jittered, waitMs))
}
