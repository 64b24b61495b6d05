const DEFAULT_WAIT_MS = 60_000
/** Headers that say when a limit ends: seconds since 1970 or from now, or a date. Each may have a fellow that ends in `remaining`. */
const RESETS = [
  'x-rate-limit-reset',
  'x-ratelimit-reset',
  'ratelimit-reset',
  'x-user-limit-24hour-reset',
  'x-app-limit-24hour-reset',
]
/** Below it, a number is seconds from now; from it on, seconds since 1970. */
const EARLIEST_MOMENT_S = 1_000_000_000

/**
 * Until when a network does not want to be asked, in milliseconds since 1970: by `Retry-After` (RFC 9110, 10.2.3), or by the
 * headers that many networks have for it, else after `fallbackMs`. Null for any other answer.
 */
export function busyUntil(
  status: number,
  headers: Headers,
  { now = Date.now(), fallbackMs = DEFAULT_WAIT_MS } = {},
): number | null {
  if (status !== 429 && status !== 503) return null
  const after = momentIn(headers.get('retry-after'), now)
  if (after !== null) return after
  if (status === 503) return null
  const spent = RESETS.filter((name) => Number(headers.get(name.replace('reset', 'remaining')) ?? 0) <= 0)
  const resets = spent.flatMap((name) => momentIn(headers.get(name), now) ?? [])
  return resets.length > 0 ? Math.max(...resets) : now + fallbackMs
}

function momentIn(value: string | null, now: number): number | null {
  if (value === null || value.trim() === '') return null
  if (!/^\d+(\.\d+)?$/.test(value)) {
    const date = Date.parse(value)
    return Number.isNaN(date) ? null : date
  }
  const seconds = Number(value)
  return seconds < EARLIEST_MOMENT_S ? now + seconds * 1000 : seconds * 1000
}
