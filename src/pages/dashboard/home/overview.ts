import { shownAs } from '../kit/ask.ts'
import type { Visit } from '../kit/visit.ts'

export const RANGES = {
  '7d': { link: '7 days', before: 'the 7 days before' },
  '30d': { link: '30 days', before: 'the 30 days before' },
  '12m': { link: '12 months', before: 'the 12 months before' },
} as const
export type Range = keyof typeof RANGES

interface Sums {
  revenue: number
  orders: number
}

interface Course {
  before: number
  points: number[]
}

/** As the operation of the dashboard answers it. */
export interface Overview {
  range: Range
  interval: 'day' | 'month'
  timezone: string
  starts: string[]
  sales: { currency: string; now: Sums; before: Sums; points: Sums[] }[]
  subscribers: Course
  recurring: ({ currency: string } & Course)[]
  attention: { kind: string; count: number }[]
}

export function rangeOf({ query }: Visit): Range {
  const given = query.get('range') ?? ''
  return Object.hasOwn(RANGES, given) ? (given as Range) : '30d'
}

export function overviewOf(visit: Visit): Promise<Overview> {
  return shownAs<Overview>(visit.askAny('GET', '/overview', { query: { range: rangeOf(visit) } }))
}
