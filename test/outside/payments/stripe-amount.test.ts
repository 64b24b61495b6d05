import { describe, expect, it } from 'vitest'
import { toStripeAmount } from '../../../src/outside/payments/stripe/amount.ts'

describe('An amount at Stripe', () => {
  it.each([
    ['usd', 2900, 2900],
    ['jpy', 2900, 2900],
    ['krw', 1, 1],
    // Two digits at Stripe, of which the charge may use both.
    ['huf', 2905, 2905],
    ['twd', 2905, 2905],
    // No digits by ISO 4217, two at Stripe.
    ['isk', 5, 500],
    ['ugx', 99_999_999, 9_999_999_900],
    // Two digits by ISO 4217, none at Stripe.
    ['mga', 2900, 29],
    ['kwd', 5120, 5120],
    ['bhd', 10, 10],
  ])('in %s of %i is %i', (currency, amount, expected) => {
    expect(toStripeAmount(amount, currency)).toBe(expected)
  })

  it.each([
    ['kwd', 5124, 10],
    ['tnd', 5, 10],
    ['mga', 2950, 100],
  ])('in %s of %i is refused, since only steps of %i are possible', (currency, amount, step) => {
    expect(() => toStripeAmount(amount, currency)).toThrow(
      `takes amounts in ${currency} only in steps of ${step} minor units, and this one is ${amount}.`,
    )
  })
})
