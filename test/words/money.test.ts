import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { currencies, MAX_AMOUNT } from '../../src/contract/values/values.ts'
import { formatMoney, minorDigits } from '../../src/words/money.ts'

describe('An amount', () => {
  it.each([
    [2900, 'usd', '$29.00'],
    [5, 'eur', '€0.05'],
    [0, 'gbp', '£0.00'],
    [MAX_AMOUNT, 'usd', '$999,999.99'],
    [-500, 'eur', '−€5.00'],
    [2900, 'jpy', '¥2,900'],
    [50_000, 'krw', '₩50,000'],
    [1500, 'kwd', 'KWD\u00a01.500'],
    [1, 'bhd', 'BHD\u00a00.001'],
    [123_456, 'clf', 'CLF\u00a012.3456'],
    [2900, 'chf', 'CHF\u00a029.00'],
  ])('of %d %s reads %s', (amount, currency, text) => {
    expect(formatMoney(amount, currency)).toBe(text)
  })

  it('has the digits of ISO 4217, also where Intl has others', () => {
    expect(['all', 'huf', 'isk', 'iqd', 'lak', 'mga', 'ugx', 'usd'].map(minorDigits)).toEqual([2, 2, 0, 3, 2, 2, 0, 2])
  })

  it('loses no unit, whatever the currency', () => {
    const amounts = fc.integer({ min: -MAX_AMOUNT, max: MAX_AMOUNT })
    fc.assert(
      fc.property(amounts, fc.constantFrom(...currencies), (amount, currency) => {
        const digits = formatMoney(amount, currency).replace(/\D/g, '')
        expect(Number(digits)).toBe(Math.abs(amount))
      }),
    )
  })
})
