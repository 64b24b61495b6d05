import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../src/contract/declarations/errors.ts'
import { missingIn as missingInTerms, settleTerms, type Terms } from '../../src/resources/catalog/discount/terms.ts'
import {
  missingIn,
  type Pricing,
  type PricingInput,
  settlePricing,
} from '../../src/resources/catalog/price-variant/pricing.ts'

const RUNS = 2000
/** With fewer accepted cases, the properties would hold because hardly anything was looked at. */
const LEAST_ACCEPTED = 300
const NOW = '2026-06-01T00:00:00Z'
/** Mostly absent: of bodies that give every field, hardly one is without a contradiction. */
const optional = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof(
    { weight: 30, arbitrary: fc.constant(undefined) },
    { weight: 3, arbitrary: value },
    { weight: 1, arbitrary: fc.constant(null) },
  )
const amounts = optional(fc.integer({ min: 0, max: 5 }))

const pricing: fc.Arbitrary<PricingInput> = fc.record({
  amount_type: fc.constantFrom('fixed', 'free', 'custom', undefined),
  amount: amounts,
  billing_type: fc.constantFrom('one_time', 'subscription', 'free', undefined),
  recurring_interval: optional(fc.constantFrom('day', 'week', 'month', 'year')),
  interval_count: optional(fc.integer({ min: 1, max: 200 })),
  installment_count: optional(fc.integer({ min: 2, max: 5 })),
  setup_fee_amount: amounts,
  trial_period_days: optional(fc.integer({ min: 1, max: 5 })),
  discounted_from_amount: amounts,
  minimum_amount: amounts,
  maximum_amount: amounts,
  preset_amount: amounts,
})

const terms = fc.record({
  discount_type: fc.constantFrom('percent_off', 'amount_off', undefined),
  percent_off: optional(fc.integer({ min: 1, max: 100 })),
  amount_off: amounts,
  currency: optional(fc.constant('usd')),
  duration: fc.constantFrom('once', 'repeating', 'forever', undefined),
  duration_in_months: optional(fc.integer({ min: 1, max: 36 })),
  max_redemptions: optional(fc.integer({ min: 1, max: 5 })),
  starts_at: optional(fc.constantFrom('2026-01-01T00:00:00Z', '2026-07-01T00:00:00Z')),
  redeem_by: optional(fc.constantFrom('2026-05-01T00:00:00Z', '2026-08-01T00:00:00Z')),
}) as fc.Arbitrary<Parameters<typeof settleTerms>[0]>

/** A create names its type, and mostly what the type needs. */
function asFirst(change: Parameters<typeof settleTerms>[0]): Parameters<typeof settleTerms>[0] {
  const { discount_type = 'percent_off', percent_off, amount_off, currency } = change
  if (discount_type === 'percent_off')
    return { ...change, discount_type, percent_off: percent_off === undefined ? 25 : percent_off }
  const needed = { amount_off: amount_off === undefined ? 5 : amount_off, currency: currency ?? 'usd' }
  return { ...change, discount_type, ...needed }
}

/** What a rule gives, or null where it refuses in the contract's words. */
function unlessRefused<Value>(rule: () => Value): Value | null {
  try {
    return rule()
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError)
    expect((error as ApiError).code).toBe('validation_failed')
    return null
  }
}

function expectCoherent(price: Pricing): void {
  const { amount_type, billing_type, amount, minimum_amount: min, maximum_amount: max, preset_amount: preset } = price
  expect(billing_type === 'free').toBe(amount_type === 'free')
  if (amount_type === 'fixed') expect(amount).toBeGreaterThan(0)
  else expect(amount).toBe(0)
  if (billing_type === 'subscription') expect([price.recurring_interval, price.interval_count]).not.toContain(null)
  else
    for (const name of [
      'recurring_interval',
      'interval_count',
      'installment_count',
      'setup_fee_amount',
      'trial_period_days',
    ] as const)
      expect(price[name]).toBeNull()
  if (amount_type !== 'custom') expect([min, max, preset]).toEqual([null, null, null])
  if (min !== null && max !== null) expect(min).toBeLessThan(max)
  if (preset !== null) {
    expect(preset).toBeGreaterThanOrEqual(min ?? 0)
    expect(preset).toBeLessThanOrEqual(max ?? Infinity)
  }
  if (price.discounted_from_amount !== null) {
    expect(amount_type).toBe('fixed')
    expect(price.discounted_from_amount).toBeGreaterThan(amount!)
  }
  const days = { day: 1, week: 7, month: 30, year: 365 }
  if (price.recurring_interval) expect(price.interval_count! * days[price.recurring_interval]).toBeLessThanOrEqual(1096)
}

describe('A price', () => {
  it('is coherent however it came about, keeps what was given, and changes by nothing to itself', () => {
    let accepted = 0
    fc.assert(
      fc.property(fc.array(pricing, { minLength: 1, maxLength: 4 }), (changes) => {
        let price: Pricing | undefined
        for (const given of changes) {
          const settled = unlessRefused(() => settlePricing(given, price))
          if (!settled || missingIn(settled)) continue
          expectCoherent(settled)
          for (const [name, value] of Object.entries(given)) {
            if (value != null) expect([name, settled[name as keyof Pricing]]).toEqual([name, value])
          }
          expect(settlePricing({}, settled)).toEqual(settled)
          expect(settlePricing(settled, settled)).toEqual(settled)
          price = settled
          accepted += 1
        }
      }),
      { numRuns: RUNS },
    )
    expect(accepted).toBeGreaterThan(LEAST_ACCEPTED)
  })

  it('gives back its own fields alone, whatever it was made from', () => {
    const variant = { ...settlePricing({ amount: 5 }), name: 'Name', hidden: true }
    expect(settlePricing({ amount: 7 }, variant)).toEqual(settlePricing({ amount: 7 }))
  })
})

describe('The terms of a discount', () => {
  it('are coherent however they came about, and keep what was given', () => {
    let accepted = 0
    fc.assert(
      fc.property(fc.array(terms, { minLength: 1, maxLength: 4 }), (changes) => {
        let before: Terms | null = null
        for (const [index, change] of changes.entries()) {
          const given = index === 0 ? asFirst(change) : change
          if (index > 0 && !before) return
          const settled: Terms | null = unlessRefused(() => settleTerms(given, before, NOW))
          if (!settled || missingInTerms(settled)) continue
          const isPercent = settled.discount_type === 'percent_off'
          expect([settled.percent_off !== null, settled.amount_off !== null, settled.currency !== null]).toEqual([
            isPercent,
            !isPercent,
            !isPercent,
          ])
          expect(settled.duration_in_months !== null).toBe(settled.duration === 'repeating')
          if (settled.starts_at && settled.redeem_by) expect(settled.redeem_by > settled.starts_at).toBe(true)
          if (given.redeem_by) expect(settled.redeem_by! > NOW).toBe(true)
          for (const [name, value] of Object.entries(given)) {
            if (value != null) expect([name, settled[name as keyof Terms]]).toEqual([name, value])
          }
          expect(settleTerms({}, settled, NOW)).toEqual(settled)
          before = settled
          accepted += 1
        }
      }),
      { numRuns: RUNS },
    )
    expect(accepted).toBeGreaterThan(LEAST_ACCEPTED)
  })
})
