import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allocate, percentOf } from '../../src/resources/sales/allocation.ts'
import type { Line } from '../../src/resources/sales/checkout/line.ts'
import { type Reduction, totalsOf } from '../../src/resources/sales/checkout/totals.ts'

const MAX = 99_999_999
const amounts = fc.array(fc.integer({ min: 0, max: MAX }), { minLength: 1, maxLength: 50 })
const sum = (parts: readonly number[]) => parts.reduce((all, part) => all + part, 0)

describe('Spreading a total over parts', () => {
  it('loses no unit, goes beyond no part, and is off from the exact share by less than one', () => {
    fc.assert(
      fc.property(amounts, fc.nat(), (weights, wish) => {
        const whole = sum(weights)
        const total = whole === 0 ? 0 : wish % (whole + 1)
        const parts = allocate(total, weights)
        expect(sum(parts)).toBe(total)
        for (const [index, part] of parts.entries()) {
          expect(part).toBeLessThanOrEqual(weights[index]!)
          const exact = whole === 0 ? 0 : (total / whole) * weights[index]!
          expect(Math.abs(part - exact)).toBeLessThanOrEqual(1)
        }
      }),
    )
  })

  it('gives the units that are left to the largest parts, earlier ones first', () => {
    expect(allocate(100, [1001, 1500])).toEqual([40, 60])
    expect(allocate(2, [5, 5, 5])).toEqual([1, 1, 0])
    expect(allocate(1, [1, 3, 3])).toEqual([0, 1, 0])
    expect(allocate(7, [3, 4])).toEqual([3, 4])
    expect(() => allocate(8, [3, 4])).toThrow(RangeError)
  })

  it('is exact where the products are larger than a number can hold', () => {
    expect(sum(allocate(MAX, [MAX, MAX, MAX]))).toBe(MAX)
  })
})

describe('A percentage', () => {
  it('is rounded half up in whole numbers', () => {
    expect(percentOf(999, 33.33)).toBe(333)
    expect(percentOf(50, 1)).toBe(1)
    expect(percentOf(49, 1)).toBe(0)
    expect(percentOf(MAX, 100)).toBe(MAX)
    expect(percentOf(1, 0.01)).toBe(0)
  })
})

const blank: Line = {
  price_variant: 'price_a',
  product: 'prod_a',
  product_name: 'Tea',
  price_variant_name: 'Tin',
  quantity: 1,
  unit_amount: 1000,
  currency: 'usd',
  custom: null,
  recurring: null,
  revoke_after_days: null,
}
const monthly = {
  interval: 'month',
  interval_count: 1,
  installment_count: null,
  setup_fee_amount: 500,
  trial_period_days: null,
} as const

const lines: fc.Arbitrary<Line[]> = fc.array(
  fc
    .record({ unit: fc.option(fc.integer({ min: 0, max: 20_000 })), quantity: fc.integer({ min: 1, max: 100 }) })
    .map(({ unit, quantity }) => ({ ...blank, unit_amount: unit, quantity })),
  { minLength: 1, maxLength: 50 },
)
const reductions: fc.Arbitrary<Reduction | null> = fc.oneof(
  fc.constant(null),
  fc
    .integer({ min: 1, max: 10_000 })
    .map((hundredths) => ({ discount_type: 'percent_off' as const, percent_off: hundredths / 100, amount_off: null })),
  fc
    .integer({ min: 1, max: MAX })
    .map((amount_off) => ({ discount_type: 'amount_off' as const, percent_off: null, amount_off })),
)

describe('The totals of a cart', () => {
  it('are never negative, and its lines sum to them', () => {
    fc.assert(
      fc.property(lines, reductions, fc.boolean(), (cart, reduction, everySecond) => {
        const isTarget = (line: Line) => !everySecond || line.quantity % 2 === 0
        const { subtotal, amount_discount, total, lines: priced } = totalsOf(cart, reduction, isTarget)
        expect(total).toBeGreaterThanOrEqual(0)
        expect(subtotal - amount_discount).toBe(total)
        expect(sum(priced.map((line) => line.amount))).toBe(total)
        expect(sum(priced.map((line) => line.amount_discount))).toBe(amount_discount)
        for (const line of priced) {
          expect(line.amount).toBeGreaterThanOrEqual(0)
          if (!isTarget(line)) expect(line.amount_discount).toBe(0)
        }
      }),
    )
  })

  it('have the setup fee once, whatever the quantity, and never lower it', () => {
    const half: Reduction = { discount_type: 'percent_off', percent_off: 50, amount_off: null }
    const cart = totalsOf([{ ...blank, quantity: 3, recurring: monthly }], half)
    expect(cart).toMatchObject({ subtotal: 3500, amount_discount: 1500, total: 2000 })
    const off: Reduction = { discount_type: 'amount_off', percent_off: null, amount_off: 9000 }
    expect(totalsOf([{ ...blank, recurring: monthly }], off)).toMatchObject({ total: 500, amount_discount: 1000 })
  })

  it('are the setup fee alone in a trial, with no discount', () => {
    const half: Reduction = { discount_type: 'percent_off', percent_off: 50, amount_off: null }
    const trial = { ...monthly, trial_period_days: 14 }
    expect(totalsOf([{ ...blank, recurring: trial }], half)).toMatchObject({
      subtotal: 500,
      amount_discount: 0,
      total: 500,
    })
  })
})
