/** Each gap is up to this share longer or shorter, so that what failed together does not come back together. */
const JITTER = 0.1

/**
 * When the next attempt is to be made, in milliseconds since 1970; null after the last one. `made` counts the attempts so far,
 * and `waitMs` is what the endpoint asked for.
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
