import type { Shown } from '../../../resources/nouns.ts'
import { shown } from '../kit/ask.ts'
import type { Visit } from '../kit/visit.ts'

export type Overview = Shown<'overview'>

export const RANGES = {
  '7d': { link: '7 days', before: 'the 7 days before' },
  '30d': { link: '30 days', before: 'the 30 days before' },
  '12m': { link: '12 months', before: 'the 12 months before' },
} as const satisfies Record<Overview['range'], object>

export function rangeOf({ query }: Visit): Overview['range'] {
  const given = query.get('range') ?? ''
  return isRange(given) ? given : '30d'
}

function isRange(given: string): given is Overview['range'] {
  return Object.hasOwn(RANGES, given)
}

export function overviewOf(visit: Visit): Promise<Overview> {
  return shown(visit.ask('GET /overview', { query: { range: rangeOf(visit) } }))
}
