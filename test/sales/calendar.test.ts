import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { timestampOf } from '../../src/contract/values/values.ts'
import { type Cycle, periodEnd } from '../../src/resources/sales/subscription/calendar.ts'

const monthly: Cycle = { interval: 'month', interval_count: 1 }
const yearly: Cycle = { interval: 'year', interval_count: 1 }
const days = (anchor: string, cycle: Cycle, count: number) =>
  Array.from({ length: count }, (_, index) => periodEnd(anchor, cycle, index + 1).slice(0, 10))

const anchors = fc
  .date({ min: new Date('2000-01-01T00:00:00Z'), max: new Date('2100-12-31T23:59:59Z'), noInvalidDate: true })
  .map(timestampOf)
/** Cycles take three years at most. */
const calendarCycles: fc.Arbitrary<Cycle> = fc.oneof(
  fc.record({ interval: fc.constant('month'), interval_count: fc.integer({ min: 1, max: 36 }) }),
  fc.record({ interval: fc.constant('year'), interval_count: fc.integer({ min: 1, max: 3 }) }),
)
const places = fc.integer({ min: 1, max: 1000 })

const monthOf = (timestamp: string) => Number(timestamp.slice(0, 4)) * 12 + Number(timestamp.slice(5, 7)) - 1
const dayOf = (timestamp: string) => Number(timestamp.slice(8, 10))
const lastDayOf = (timestamp: string) =>
  new Date(Date.UTC(Number(timestamp.slice(0, 4)), Number(timestamp.slice(5, 7)), 0)).getUTCDate()

describe('The end of a period', () => {
  it('keeps the day of the anchor through shorter months', () => {
    expect(days('2027-01-31T12:34:56Z', monthly, 5)).toEqual([
      ...['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30'],
    ])
    expect(days('2027-10-30T00:00:00Z', monthly, 5)).toEqual([
      ...['2027-11-30', '2027-12-30', '2028-01-30', '2028-02-29', '2028-03-30'],
    ])
    expect(periodEnd('2027-01-31T12:34:56Z', monthly, 1)).toBe('2027-02-28T12:34:56Z')
  })

  it('comes back to 29 February in leap years alone', () => {
    expect(days('2028-02-29T00:00:00Z', yearly, 5)).toEqual([
      ...['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29', '2033-02-28'],
    ])
    expect(days('2096-02-29T00:00:00Z', { ...yearly, interval_count: 2 }, 4)).toEqual([
      ...['2098-02-28', '2100-02-28', '2102-02-28', '2104-02-29'],
    ])
  })

  it('counts weeks and days in whole days of UTC', () => {
    expect(days('2027-03-20T23:59:59Z', { interval: 'week', interval_count: 2 }, 3)).toEqual([
      ...['2027-04-03', '2027-04-17', '2027-05-01'],
    ])
    expect(days('2028-02-28T00:00:00Z', { interval: 'day', interval_count: 1 }, 3)).toEqual([
      ...['2028-02-29', '2028-03-01', '2028-03-02'],
    ])
  })

  it('is n cycles of months after the anchor, on its day or the last of the month, at its time of day', () => {
    fc.assert(
      fc.property(anchors, calendarCycles, places, (anchor, cycle, n) => {
        const end = periodEnd(anchor, cycle, n)
        const months = cycle.interval_count * (cycle.interval === 'year' ? 12 : 1)
        expect(monthOf(end)).toBe(monthOf(anchor) + months * n)
        expect(dayOf(end)).toBe(Math.min(dayOf(anchor), lastDayOf(end)))
        expect(end.slice(10)).toBe(anchor.slice(10))
      }),
    )
  })

  it('never drifts, and each period begins before it ends', () => {
    fc.assert(
      fc.property(anchors, calendarCycles, places, (anchor, cycle, n) => {
        expect(periodEnd(anchor, cycle, n) < periodEnd(anchor, cycle, n + 1)).toBe(true)
        const twice = { ...cycle, interval_count: cycle.interval_count * n }
        expect(periodEnd(anchor, twice, 1)).toBe(periodEnd(anchor, cycle, n))
      }),
    )
  })
})
