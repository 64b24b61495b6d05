import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { durationInWords, everyDuration, formatDuration, waitInWords } from '../../src/format/durations.ts'
import { everyInterval, intervalWords } from '../../src/format/intervals.ts'

describe('A length of time', () => {
  it.each([
    [0.2, '0.2 seconds'],
    [1, '1 second'],
    [59, '59 seconds'],
    [60, '1 minute'],
    [90, '90 seconds'],
    [5_400, '90 minutes'],
    [3_600, '1 hour'],
    [86_400, '1 day'],
    [90_000, '25 hours'],
    [0, '0 seconds'],
  ])('that is set, of %d seconds, reads %s', (seconds, words) => expect(durationInWords(seconds)).toBe(words))

  it('says how often', () => {
    expect([1, 60, 5_400, 86_400, 7 * 86_400].map(everyDuration)).toEqual([
      'every second',
      'every minute',
      'every 90 minutes',
      'every day',
      'every 7 days',
    ])
  })

  it.each([
    [0, '1 second'],
    [0.2, '1 second'],
    [1.1, '2 seconds'],
    [120, '120 seconds'],
    [121, '3 minutes'],
    [7_200, '120 minutes'],
    [7_201, '3 hours'],
    [43_200, '12 hours'],
    [172_801, '3 days'],
  ])('to wait, of %d seconds, reads %s', (seconds, words) => expect(waitInWords(seconds)).toBe(words))

  it('to wait is never said too short, nor half as long again', () => {
    const lengths: Record<string, number> = { second: 1, minute: 60, hour: 3_600, day: 86_400 }
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), (seconds) => {
        const [number = '', unit = ''] = waitInWords(seconds).split(' ')
        const said = Number(number) * lengths[unit.replace(/s$/, '')]!
        expect(said).toBeGreaterThanOrEqual(seconds)
        expect(said).toBeLessThan(seconds * 1.5)
      }),
    )
  })

  it.each([
    [0, '0 ms'],
    [0.4, '0 ms'],
    [999.4, '999 ms'],
    [999.6, '1.0 s'],
    [1_000, '1.0 s'],
    [2_449, '2.4 s'],
    [59_949, '59.9 s'],
    [59_950, '1 min 0 s'],
    [60_000, '1 min 0 s'],
    [312_400, '5 min 12 s'],
    [3_599_499, '59 min 59 s'],
    [3_599_500, '1 h 0 min'],
    [3_720_000, '1 h 2 min'],
    [90_000_000, '25 h 0 min'],
  ])('that was measured, of %d ms, reads %s', (ms, text) => expect(formatDuration(ms)).toBe(text))
})

describe('How often is paid', () => {
  it.each([
    ['month', 1, 'every month', 'month'],
    ['month', 3, 'every 3 months', '3 months'],
    ['day', 1, 'every day', 'day'],
    ['year', 2, 'every 2 years', '2 years'],
  ] as const)('with %s and %d reads %s', (interval, interval_count, every, span) => {
    expect(everyInterval({ interval, interval_count })).toBe(every)
    expect(intervalWords({ interval, interval_count })).toBe(span)
  })
})
