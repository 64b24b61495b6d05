import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { currencies, MAX_AMOUNT } from '../../src/contract/values/values.ts'
import { formatMoney, formatMoneyChange, formatMoneyShort, minorDigits, plainAmount } from '../../src/format/money.ts'

describe('An amount', () => {
  it.each([
    [2900, 'usd', '$29.00'],
    [5, 'eur', '€0.05'],
    [0, 'gbp', '£0.00'],
    [MAX_AMOUNT, 'usd', '$999,999.99'],
    [-500, 'eur', '−€5.00'],
    [-0, 'eur', '€0.00'],
    [-1, 'kwd', '−KWD\u00a00.001'],
    [-2900, 'jpy', '−¥2,900'],
    [2900, 'huf', 'HUF\u00a029.00'],
    [2900, 'isk', 'ISK\u00a02,900'],
    [Number.MAX_SAFE_INTEGER, 'usd', '$90,071,992,547,409.91'],
    [Number.MAX_SAFE_INTEGER, 'jpy', '¥9,007,199,254,740,991'],
    [Number.MAX_SAFE_INTEGER, 'kwd', 'KWD\u00a09,007,199,254,740.991'],
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
    const amounts = fc.oneof(fc.integer({ min: -MAX_AMOUNT, max: MAX_AMOUNT }), fc.maxSafeInteger())
    fc.assert(
      fc.property(amounts, fc.constantFrom(...currencies), (amount, currency) => {
        const digits = formatMoney(amount, currency).replace(/\D/g, '')
        expect(Number(digits)).toBe(Math.abs(amount))
      }),
    )
  })

  it('without its currency is a number that programs and fields read, at any size', () => {
    expect([1250, -5, 0].map((amount) => plainAmount(amount, 'usd'))).toEqual(['12.50', '-0.05', '0.00'])
    expect([plainAmount(2900, 'jpy'), plainAmount(1, 'kwd')]).toEqual(['2900', '0.001'])
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom(...currencies), (amount, currency) => {
        const text = plainAmount(amount, currency)
        expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d+)?$/)
        expect(Number(text.replace('.', ''))).toBe(amount)
      }),
    )
  })

  it('says what was added or taken away, and is short at an axis', () => {
    expect([100, -100, 0].map((amount) => formatMoneyChange(amount, 'usd'))).toEqual(['+$1.00', '−$1.00', '$0.00'])
    expect([130_000, -50, 0].map((amount) => formatMoneyShort(amount, 'usd'))).toEqual(['$1.3K', '−$0.5', '$0'])
  })
})
