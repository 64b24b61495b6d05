import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Row } from '../../src/contract/declarations/noun.ts'
import { addMonths } from '../../src/contract/values/months.ts'
import type { Interval } from '../../src/format/intervals.ts'
import { periodEnd } from '../../src/resources/sales/subscription/calendar.ts'
import { nextPeriod, priceOfNext } from '../../src/resources/sales/subscription/period.ts'
import type { Subscription } from '../../src/resources/sales/subscription/subscription.ts'
import type { DiscountTerms, SubscriptionTerms } from '../../src/resources/sales/subscription/terms.ts'

type SubscriptionRow = Row<typeof Subscription>

const START = '2027-01-31T09:00:00Z'

const agreed: SubscriptionTerms = {
  ...{ interval: 'month', interval_count: 1, installment_count: null, revoke_after_days: null },
  ...{ product_name: 'Club', price_variant_name: 'Monthly', unit_amount: 1999, discount: null },
}

/** A subscription that was bought at START and paid for its first month. */
const running: SubscriptionRow = {
  ...{ id: 'sub_1', account_id: 'acct_1', created_at: START, updated_at: START },
  ...{ status: 'active', customer: 'cus_1', price_variant: 'price_1', product: 'prod_1', order: 'ord_1' },
  ...{ discount: null, quantity: 1, amount: 1999, currency: 'usd', metadata: {} },
  ...{ current_period_start: START, current_period_end: periodEnd(START, agreed, 1), trial_ends_at: null },
  ...{ ends_at: null, canceled: false, paused: false, canceled_at: null, cancellation_reason: null },
  ...{ paused_at: null, resumes_at: null, payments_count: 1, terms: agreed },
  ...{ anchor: START, periods: 1, first_charged_at: START, provider: 'test', method: null },
  ...{
    due_job: null,
    notice_job: null,
    imported_payments_count: 0,
    awaits_takeover: false,
    unpaid_since: null,
    held_since: null,
    due_since: null,
    paying: null,
  },
  ...{ country: null, region: null, vat_id: null },
  ...{ amount_due: null, failed_payments_count: 0, last_payment_error: null, last_payment_error_code: null },
}

const half: DiscountTerms = {
  ...{ id: 'disc_1', discount_type: 'percent_off', percent_off: 50, amount_off: null },
  ...{ duration: 'forever', duration_in_months: null },
}

/** What the periods of a subscription cost from the next one on, each paid when it is due. */
function costs(subscription: SubscriptionRow, count: number): number[] {
  let next = subscription
  return Array.from({ length: count }, () => {
    const { total } = priceOfNext(next, null)
    const due = next.current_period_end!
    next = { ...next, ...nextPeriod(next, due), payments_count: next.payments_count + 1 }
    next.first_charged_at ??= due
    return total
  })
}

const withTerms = (terms: Partial<SubscriptionTerms>, more: Partial<SubscriptionRow> = {}): SubscriptionRow => ({
  ...running,
  terms: { ...agreed, ...terms },
  ...more,
})
const trial = { anchor: null, periods: 0, payments_count: 0, first_charged_at: null, trial_ends_at: START }

describe('The next period', () => {
  it('begins at its due date and ends by the calendar of the anchor, however late it is paid', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 240 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (periods, late) => {
        const due = periodEnd(START, agreed, periods)
        const end = periodEnd(START, agreed, periods + 1)
        const paidAt = new Date(Date.parse(due) + late * (Date.parse(end) - Date.parse(due))).toISOString()
        const subscription = { ...running, periods, current_period_end: due }
        expect(nextPeriod(subscription, `${paidAt.slice(0, 19)}Z`)).toEqual({
          ...{ anchor: START, periods: periods + 1, current_period_start: due, current_period_end: end },
        })
      }),
    )
  })

  it('begins now, with an anchor of its own, when the one that was due is over', () => {
    const end = periodEnd(START, agreed, 2)
    for (const now of [end, '2027-05-30T10:00:00Z'])
      expect(nextPeriod(running, now)).toEqual({
        ...{ anchor: now, periods: 1, current_period_start: now, current_period_end: periodEnd(now, agreed, 1) },
      })
  })

  it('has the first anchor at its due date after a trial', () => {
    const subscription = { ...running, ...trial, current_period_end: START }
    expect(nextPeriod(subscription, START)).toEqual({
      ...{ anchor: START, periods: 1, current_period_start: START, current_period_end: running.current_period_end },
    })
  })
})

describe('What a period costs', () => {
  it('is unit price times quantity, and never a setup fee', () => {
    expect(priceOfNext({ ...running, quantity: 3 }, null)).toMatchObject({
      ...{ subtotal: 5997, amount_discount: 0, total: 5997, discount: null },
      lines: [{ unit_amount: 1999, quantity: 3, setup_fee_amount: 0, amount: 5997 }],
    })
  })

  it('is lowered once: at the checkout, or in the first charged period after a trial', () => {
    const once = { discount: { ...half, duration: 'once' } } as const
    expect(costs(withTerms(once), 3)).toEqual([1999, 1999, 1999])
    expect(costs(withTerms(once, trial), 3)).toEqual([999, 1999, 1999])
  })

  it('is lowered forever, to nothing too, and never below', () => {
    expect(costs(withTerms({ discount: half }), 40)).toEqual(Array(40).fill(999))
    expect(costs(withTerms({ discount: { ...half, percent_off: 100 } }), 3)).toEqual([0, 0, 0])
    const amountOff = { ...half, discount_type: 'amount_off', percent_off: null, amount_off: 5000 } as const
    expect(priceOfNext(withTerms({ discount: amountOff }), null)).toMatchObject({ amount_discount: 1999, total: 0 })
  })

  it('is lowered while periods start before the first one + duration_in_months, a yearly one whole', () => {
    const repeating = (duration_in_months: number) =>
      ({ discount: { ...half, duration: 'repeating', duration_in_months } }) as const
    expect(costs(withTerms(repeating(3)), 4)).toEqual([999, 999, 1999, 1999])
    expect(costs(withTerms(repeating(3), trial), 4)).toEqual([999, 999, 999, 1999])
    const yearly = { ...repeating(1), interval: 'year' } as const
    expect(costs(withTerms(yearly, trial), 3)).toEqual([999, 1999, 1999])
    expect(costs(withTerms({ ...repeating(12), interval: 'month', interval_count: 6 }, trial), 3)).toEqual([
      ...[999, 999, 1999],
    ])
  })

  it('is lowered in exactly the periods that start in time, whatever the cycle', () => {
    const cycles = fc.constantFrom<Interval>('day', 'week', 'month', 'year')
    const numbers = fc.integer({ min: 1, max: 12 })
    fc.assert(
      fc.property(cycles, numbers, fc.integer({ min: 1, max: 36 }), (interval, interval_count, months) => {
        const terms = { ...agreed, interval, interval_count }
        const discount = { ...half, duration: 'repeating', duration_in_months: months } as const
        const subscription = withTerms({ ...terms, discount }, { ...trial, current_period_end: START })
        const starts = Array.from({ length: 50 }, (_, n) => (n === 0 ? START : periodEnd(START, terms, n)))
        const expected = starts.map((start) => (start < addMonths(START, months) ? 999 : 1999))
        expect(costs(subscription, 50)).toEqual(expected)
      }),
    )
  })
})
