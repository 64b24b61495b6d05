import { counted } from './counts.ts'

export type Interval = 'day' | 'week' | 'month' | 'year'

export interface Rhythm {
  interval: Interval
  interval_count: number
}

/** Returns a rhythm in words: `every month`, `every 3 months`. */
export function everyInterval(rhythm: Rhythm): string {
  return `every ${intervalWords(rhythm)}`
}

/** Returns the interval of a rhythm in words: `month`, `3 months`. */
export function intervalWords({ interval, interval_count: count }: Rhythm): string {
  return count === 1 ? interval : counted(count, interval)
}
