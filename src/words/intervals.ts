import { counted } from './counts.ts'

export type Interval = 'day' | 'week' | 'month' | 'year'

/** How far apart payments are, as prices and subscriptions have it. */
export interface Rhythm {
  interval: Interval
  interval_count: number
}

/** How often something happens: `every month`, `every 3 months`. */
export function everyInterval(rhythm: Rhythm): string {
  return `every ${intervalWords(rhythm)}`
}

/** The time from one payment to the next: `month`, `3 months`. */
export function intervalWords({ interval, interval_count: count }: Rhythm): string {
  return count === 1 ? interval : counted(count, interval)
}
