import { describe, expect, it } from 'vitest'
import { feeOf, toStripeAmount } from '../../../src/providers/payments/stripe/amount.ts'

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

describe('The share of a platform', () => {
  it.each([
    ['usd', 2900, 250, 72],
    ['usd', 39, 250, 0],
    ['usd', 1000, 1, 0],
    ['usd', 10_000, 1, 1],
    ['usd', 1999, 5000, 999],
    ['jpy', 999, 1000, 99],
    // Stripe takes whole krónur, in its hundredths.
    ['isk', 999, 250, 2400],
    // Stripe takes three digits only if the last is 0.
    ['kwd', 5120, 250, 120],
    // Stripe counts whole ariary, and we count hundredths.
    ['mga', 12_300, 250, 3],
    ['usd', 2900, 0, 0],
  ])('in %s of %i at %i hundredths of a percent is rounded down to %i', (currency, amount, basisPoints, expected) => {
    expect(feeOf(amount, currency, basisPoints)).toBe(expected)
  })
})
