import { describe, expect, it } from 'vitest'
import type { PricedLine } from '../../src/resources/sales/checkout/line.ts'
import type { ShownDiscount } from '../../src/resources/sales/checkout/sheet.ts'
import { termsOf } from '../../src/resources/sales/checkout/terms.ts'

type Recurring = NonNullable<PricedLine['recurring']>
type Terms = Partial<Pick<ShownDiscount, 'duration' | 'duration_in_months' | 'percent_off'>>

const NOW = '2026-01-31T10:00:00Z'

function words(recurring: Partial<Recurring>, discount?: Terms, quantity = 1): string | null {
  const line = {
    unit_amount: 2400,
    quantity,
    recurring: {
      interval: 'month',
      interval_count: 1,
      installment_count: null,
      setup_fee_amount: 0,
      trial_period_days: null,
      ...recurring,
    },
  } as PricedLine
  const terms = {
    discount_type: 'percent_off',
    percent_off: 50,
    amount_off: null,
    duration_in_months: null,
    ...discount,
  }
  return termsOf({
    items: [{ line, problem: null, picture: null, changesQuantity: false, asksAmount: false }],
    discount: discount ? (terms as ShownDiscount) : null,
    currency: 'usd',
    now: NOW,
    renewal: null,
    addedRates: [],
  })
}

describe('The terms of a subscription, in words', () => {
  it.each([
    [{}, undefined, '$24.00 every month until canceled. The first payment is today, the next on 28 February 2026.'],
    [
      { interval: 'week', interval_count: 2 },
      undefined,
      '$24.00 every 2 weeks until canceled. The first payment is today, the next on 14 February 2026.',
    ],
    [{ trial_period_days: 14 }, undefined, 'Free until 14 February 2026, then $24.00 every month until canceled.'],
    [
      { trial_period_days: 14, installment_count: 12 },
      undefined,
      'Free until 14 February 2026, then 12 payments of $24.00, one every month.',
    ],
    [
      { trial_period_days: 7 },
      { duration: 'once' },
      'Free until 7 February 2026, then $12.00 for the first month, then $24.00 every month until canceled.',
    ],
    [
      { interval_count: 3 },
      { duration: 'once' },
      '$12.00 for the first 3 months, then $24.00 every 3 months until canceled. The first payment is today, the next on 30 April 2026.',
    ],
    [
      {},
      { duration: 'repeating', duration_in_months: 3 },
      '$12.00 every month for the first 3 payments, then $24.00 every month until canceled. The first payment is today, the next on 28 February 2026.',
    ],
    [
      { interval: 'year' },
      { duration: 'repeating', duration_in_months: 3 },
      '$12.00 for the first year, then $24.00 every year until canceled. The first payment is today, the next on 31 January 2027.',
    ],
    [
      {},
      { duration: 'forever' },
      '$12.00 every month until canceled, in place of $24.00. The first payment is today, the next on 28 February 2026.',
    ],
    [
      { installment_count: 6 },
      { duration: 'repeating', duration_in_months: 2 },
      '6 payments, one every month: 2 of $12.00, then 4 of $24.00. The first payment is today, the next on 28 February 2026.',
    ],
    [
      { installment_count: 2 },
      { duration: 'repeating', duration_in_months: 12 },
      '2 payments of $12.00, one every month, in place of $24.00. The first payment is today, the next on 28 February 2026.',
    ],
  ] as [Partial<Recurring>, Terms | undefined, string][])('of %j with %j', (recurring, discount, expected) => {
    expect(words(recurring, discount)).toBe(expected)
  })

  it('count every unit, and lower what the discount lowers', () => {
    expect(words({}, undefined, 3)).toMatch(/^\$72\.00 every month/)
    expect(words({}, { duration: 'forever', percent_off: 100 })).toMatch(/^\$0\.00 every month until canceled/)
  })
})
