import type { Metrics } from './social_analytics.ts'

/** The figures that add up. */
export type Sums = Omit<Metrics, 'followers' | 'engagement_rate'>

const NAMES = [
  'posts',
  'impressions',
  'reach',
  'likes',
  'comments',
  'shares',
  'clicks',
  'saves',
  'followers_gained',
] as const satisfies (keyof Sums)[]

const NOTHING: Sums = Object.fromEntries(NAMES.map((name) => [name, 0])) as Sums

export function summed(all: Iterable<Partial<Sums>>): Sums {
  const total = { ...NOTHING }
  for (const one of all) for (const name of NAMES) total[name] += one[name] ?? 0
  return total
}

const RATE_DIGITS = 4

export function metricsOf(sums: Sums, followers: number): Metrics {
  return { ...sums, followers, engagement_rate: engagementOf(sums) }
}

/** Reactions for each impression, to four digits; 0 where nothing was shown. */
export function engagementOf({ impressions, likes, comments, shares, clicks, saves }: Sums): number {
  if (impressions === 0) return 0
  return Number(((likes + comments + shares + clicks + saves) / impressions).toFixed(RATE_DIGITS))
}
