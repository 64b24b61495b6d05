import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cronProblem, nextTime } from '../../src/contract/values/schedule.ts'
import { timestampOf } from '../../src/contract/values/values.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

function cron(expression: string, timeZone = 'UTC') {
  return { kind: 'cron', expression, timeZone } as const
}

function times(expression: string, timeZone: string, after: string, count: number): (string | null)[] {
  const found: (string | null)[] = []
  let moment: string | null = after
  for (let index = 0; index < count && moment !== null; index += 1) {
    moment = nextTime(cron(expression, timeZone), moment)
    found.push(moment)
  }
  return found
}

describe('A cron expression', () => {
  it.each([
    ['*/15 * * * *', '2026-03-01T10:07:30Z', '2026-03-01T10:15:00Z'],
    ['0 9 * * mon-fri', '2026-03-06T09:00:00Z', '2026-03-09T09:00:00Z'],
    ['0 0 * * 7', '2026-03-02T00:00:00Z', '2026-03-08T00:00:00Z'],
    ['30 6 1,15 * *', '2026-03-01T06:30:00Z', '2026-03-15T06:30:00Z'],
    ['5-10/5 0 1 JAN *', '2026-03-01T00:00:00Z', '2027-01-01T00:05:00Z'],
    ['0 0 29 2 *', '2096-03-01T00:00:00Z', '2104-02-29T00:00:00Z'],
    // A day of the month or a weekday, where both are restricted.
    ['0 0 13 * 5', '2026-03-01T00:00:00Z', '2026-03-06T00:00:00Z'],
    // And only days that are both, where one of them begins with a star.
    ['0 0 */2 * 5', '2026-03-01T00:00:00Z', '2026-03-13T00:00:00Z'],
  ])('%s after %s is %s', (expression, after, expected) => {
    expect(nextTime(cron(expression), after)).toBe(expected)
  })

  it.each([
    ['* * *', 'needs 5 fields (minute, hour, day, month, weekday), such as "30 9 * * 1", not 3'],
    ['0 * * * * *', 'needs 5 fields (minute, hour, day, month, weekday), such as "30 9 * * 1", not 6'],
    [' ', 'needs 5 fields (minute, hour, day, month, weekday), such as "30 9 * * 1", not none'],
    ['@daily', 'needs 5 fields (minute, hour, day, month, weekday), such as "30 9 * * 1", not 1'],
    ['60 * * * *', 'has the minute 60, which must be 0 to 59'],
    ['0 24 * * *', 'has the hour 24, which must be 0 to 23'],
    ['0 0 32 * *', 'has the day of the month 32, which must be 1 to 31'],
    ['0 0 * 13 *', 'has the month 13, which must be 1 to 12'],
    ['0 0 * * 8', 'has the weekday 8, which must be 0 to 7'],
    ['0 0 * * L', 'has the weekday "L", which must be *, 0 to 7 or mon, 1-5, 1,3,5 or */2'],
    ['x 0 * * *', 'has the minute "x", which must be *, 0 to 59, 1-5, 1,3,5 or */2'],
    ['5/15 0 * * *', 'has the minute "5/15", which must be *, 0 to 59, 1-5, 1,3,5 or */2'],
    ['1,,2 0 * * *', 'has the minute "", which must be *, 0 to 59, 1-5, 1,3,5 or */2'],
    ['*/0 * * * *', 'has the minute */0, whose step must be a number of 1 or more'],
    ['0 5-2 * * *', 'has the hour 5-2, which ends before it starts'],
    ['0 0 30 2 *', 'never occurs: none of its months has such a day'],
    ['0 0 31 4,6,9,11 *', 'never occurs: none of its months has such a day'],
  ])('%s is refused with words', (expression, problem) => {
    expect(cronProblem(expression)).toBe(problem)
  })

  it('is searched for only so long when it is rare', () => {
    expect(nextTime(cron('0 0 29 2 */7'), '2026-01-01T00:00:00Z')).toBe('2032-02-29T00:00:00Z')
    expect(nextTime(cron('0 0 29 2 *'), '9996-03-01T00:00:00Z')).toBeNull()
  })
})

describe('Daylight saving', () => {
  it('moves a time that the clock skips to the first moment after the gap', () => {
    expect(times('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:00:00Z',
      '2026-03-30T00:30:00Z',
    ])
    // Midnight itself is skipped.
    expect(times('0 0 * * *', 'Africa/Cairo', '2026-04-23T12:00:00Z', 2)).toEqual([
      '2026-04-23T22:00:00Z',
      '2026-04-24T21:00:00Z',
    ])
    // Half an hour is skipped.
    expect(times('15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T12:00:00Z', 1)).toEqual(['2026-10-03T15:30:00Z'])
    // A whole day was skipped.
    expect(times('0 12 30 12 *', 'Pacific/Apia', '2011-12-01T00:00:00Z', 1)).toEqual(['2011-12-30T10:00:00Z'])
  })

  it('runs a time that occurs twice the first time alone', () => {
    expect(times('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30:00Z',
      '2026-10-26T01:30:00Z',
    ])
    expect(times('*/30 * * * *', 'America/New_York', '2026-11-01T05:15:00Z', 3)).toEqual([
      '2026-11-01T05:30:00Z',
      '2026-11-01T07:00:00Z',
      '2026-11-01T07:30:00Z',
    ])
  })

  it('follows the rule in every zone, whatever the expression', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
    const minutes = fc.constantFrom('0', '30', '*/15', '7,37', '*/29')
    const hours = fc.constantFrom('*', '0', '1', '2', '3', '23', '*/2', '0-3')
    const days = fc.constantFrom('* * *', '*/2 * *', '* * sun', '25-31 3,10 *')
    const expressions = fc.tuple(minutes, hours, days).map((parts) => parts.join(' '))
    const moments = fc.integer({ min: Date.UTC(2024, 0) / MINUTE_MS, max: Date.UTC(2028, 0) / MINUTE_MS })
    fc.assert(
      fc.property(zones, expressions, moments, (zone, expression, start) => {
        const change = nextChange(zone, start * MINUTE_MS)
        const from = change - 5 * HOUR_MS
        const until = change + 5 * HOUR_MS
        expect(between(expression, zone, from, until)).toEqual(byDefinition(expression, zone, from, until))
      }),
      { numRuns: 60 },
    )
  })
})

describe('An interval', () => {
  it('goes on from its beginning, whenever it is asked', () => {
    const interval = { kind: 'interval', seconds: 90, from: '2026-03-01T00:00:00Z' } as const
    expect(nextTime(interval, '2026-03-01T00:00:00Z')).toBe('2026-03-01T00:01:30Z')
    expect(nextTime(interval, '2026-03-01T00:01:30Z')).toBe('2026-03-01T00:03:00Z')
    expect(nextTime(interval, '2026-03-01T23:59:00Z')).toBe('2026-03-02T00:00:00Z')
    expect(nextTime(interval, '2026-02-01T00:00:00Z')).toBe('2026-03-01T00:01:30Z')
  })
})

describe('A single moment', () => {
  it('comes once', () => {
    const once = { kind: 'once', at: '2026-03-01T00:00:00Z' } as const
    expect(nextTime(once, '2026-02-28T23:59:59Z')).toBe('2026-03-01T00:00:00Z')
    expect(nextTime(once, '2026-03-01T00:00:00Z')).toBeNull()
  })
})

/** The next change of a zone's offset to within a minute; a moment a year later where there is none. */
function nextChange(zone: string, start: number): number {
  const offset = (moment: number) => shown(zone, moment) - moment
  const before = offset(start)
  let [low, high] = [start, start]
  while (offset(high) === before && high < start + 366 * 24 * HOUR_MS) [low, high] = [high, high + 7 * 24 * HOUR_MS]
  while (high - low > MINUTE_MS) {
    const middle = low + Math.floor((high - low) / 2 / MINUTE_MS) * MINUTE_MS
    if (offset(middle) === before) low = middle
    else high = middle
  }
  return high
}

function between(expression: string, zone: string, from: number, until: number): string[] {
  const found: string[] = []
  let moment = nextTime(cron(expression, zone), timestampOf(new Date(from)))
  while (moment !== null && Date.parse(moment) <= until) {
    found.push(moment)
    moment = nextTime(cron(expression, zone), moment)
  }
  return found
}

/** Minute by minute: a time is due once the clock first shows it or has passed it. */
function byDefinition(expression: string, zone: string, from: number, until: number): string[] {
  const due: string[] = []
  let reached = Math.max(...Array.from({ length: 240 }, (_, back) => shown(zone, from - back * MINUTE_MS)))
  for (let moment = from + MINUTE_MS; moment <= until; moment += MINUTE_MS) {
    const reading = shown(zone, moment)
    let named = false
    for (let time = reached + MINUTE_MS; time <= reading; time += MINUTE_MS) named ||= isNamed(expression, time)
    if (named) due.push(timestampOf(new Date(moment)))
    reached = Math.max(reached, reading)
  }
  return due
}

function shown(zone: string, moment: number): number {
  return Date.parse(`${new Date(moment).toLocaleString('sv-SE', { timeZone: zone }).replace(' ', 'T')}Z`)
}

/** For the expressions above alone: at most one of both kinds of days is restricted. */
function isNamed(expression: string, reading: number): boolean {
  const date = new Date(reading)
  const values = [date.getUTCMinutes(), date.getUTCHours(), date.getUTCDate(), date.getUTCMonth() + 1, date.getUTCDay()]
  const firsts = [0, 0, 1, 1, 0]
  return expression.split(' ').every((field, index) =>
    field.split(',').some((item) => {
      const value = values[index]!
      if (item === '*') return true
      if (item === 'sun') return value === 0
      if (item.startsWith('*/')) return (value - firsts[index]!) % Number(item.slice(2)) === 0
      const [low, high = low] = item.split('-').map(Number)
      return value >= low! && value <= high!
    }),
  )
}
