import { describe, expect, it } from 'vitest'
import {
  formatDay,
  formatDayTick,
  formatExactMoment,
  formatMoment,
  formatMonth,
  formatMonthName,
  formatMonthTick,
  formatShortDay,
  formatTime,
  formatUtcMoment,
  withUtcMoments,
  zoneInWords,
} from '../../src/format/moments.ts'

const AT = '2026-03-14T10:30:15Z'

describe('A moment', () => {
  it.each([
    [formatDay, '14 March 2026'],
    [formatShortDay, '14 Mar 2026'],
    [formatMoment, '14 Mar 2026, 10:30'],
    [formatExactMoment, '14 Mar 2026, 10:30:15'],
    [formatTime, '10:30'],
    [formatDayTick, '14 Mar'],
    [formatMonth, 'March 2026'],
    [formatMonthName, 'March'],
    [formatMonthTick, 'Mar'],
  ])('with $name reads %s', (format, text) => expect(format(AT, 'UTC')).toBe(text))

  it('is that of the reader’s clock', () => {
    expect(formatMoment('2026-12-31T23:30:00Z', 'Asia/Kathmandu')).toBe('1 Jan 2027, 05:15')
    expect(formatMoment('2026-01-01T00:30:00Z', 'America/New_York')).toBe('31 Dec 2025, 19:30')
    // The night in which clocks are set back has an hour twice.
    const hours = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'].map((at) => formatTime(at, 'Europe/Berlin'))
    expect(hours).toEqual(['02:30', '02:30'])
  })

  it('begins its day at 00:00, never at 24:00', () => {
    expect(formatTime('2026-03-14T00:00:00Z', 'UTC')).toBe('00:00')
  })

  it('names its zone where the reader’s is not known', () => {
    expect(formatUtcMoment(AT)).toBe('14 March 2026 at 10:30 UTC')
    expect(withUtcMoments(`is offered from ${AT} to 2026-04-01T00:00:00Z`)).toBe(
      'is offered from 14 March 2026 at 10:30 UTC to 1 April 2026 at 00:00 UTC',
    )
    expect(withUtcMoments('is sold out')).toBe('is sold out')
    expect(zoneInWords('America/Argentina/Buenos_Aires')).toBe('America/Argentina/Buenos Aires')
  })

  it('reads the same in as many zones as there are', () => {
    for (const zone of Intl.supportedValuesOf('timeZone')) formatDay(AT, zone)
    expect(formatDay(AT, 'UTC')).toBe('14 March 2026')
  })
})
