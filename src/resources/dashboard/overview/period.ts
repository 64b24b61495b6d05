import { addDays, addYears, nextStart } from '../../../contract/values/days.ts'
import { dayAt, rangeOf, type Span } from '../report/range.ts'

const DAYS = { '7d': 7, '30d': 30 }

export type Range = keyof typeof DAYS | '12m'

export interface Period {
  interval: 'day' | 'month'
  /** The start of each day or month, oldest first. */
  starts: string[]
  /** One second after the present moment; exclusive. */
  until: string
  /** The same part of the preceding period, for comparison. */
  before: Span
}

export function periodOf(range: Range, now: string, timeZone: string): Period {
  const today = dayAt(now, timeZone)
  const asked =
    range === '12m'
      ? ({ from: nextStart(addYears(today, -1), 'month'), interval: 'month', compare: 'year' } as const)
      : ({ from: addDays(today, 1 - DAYS[range]), interval: 'day', compare: 'previous' } as const)
  const { steps, span, before } = rangeOf(asked, now, timeZone)
  return { interval: asked.interval, starts: steps.map(({ from }) => from), until: span.until, before: before! }
}
