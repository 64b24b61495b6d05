import { counted } from './counts.ts'
import { formatDecimal } from './numbers.ts'

const UNITS: readonly [seconds: number, name: string][] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
]

/** Returns a duration in the largest unit that makes its number whole: `1 hour`, `90 minutes`, `0.5 seconds`. */
export function durationInWords(seconds: number): string {
  const [length, name] = UNITS.find(([unit]) => seconds >= unit && seconds % unit === 0) ?? [1, 'second']
  return counted(seconds / length, name)
}

/** Returns a repetition in words: `every hour`, `every 90 minutes`. */
export function everyDuration(seconds: number): string {
  return `every ${durationInWords(seconds).replace(/^1 /, '')}`
}

/** Returns a wait in words, rounded up. Its unit is the largest one that fits more than twice: `90 seconds`, `5 hours`. */
export function waitInWords(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds))
  const [length, name] = UNITS.find(([unit]) => whole > 2 * unit) ?? [1, 'second']
  return counted(Math.ceil(whole / length), name)
}

/** Formats a measured duration: `840 ms`, `2.4 s`, `5 min 12 s` or `1 h 2 min`. */
export function formatDuration(ms: number): string {
  if (Math.round(ms) < 1_000) return `${Math.round(ms)} ms`
  if (Math.round(ms / 100) < 600) return `${formatDecimal(ms / 1_000, 1)} s`
  const seconds = Math.round(ms / 1_000)
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
