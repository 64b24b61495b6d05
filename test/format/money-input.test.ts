import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { currencies, MAX_AMOUNT } from '../../src/contract/values/values.ts'
import { formatMoney, plainAmount } from '../../src/format/money.ts'
import { amountExamples, readAmount } from '../../src/format/money-input.ts'

describe('An amount that a person enters', () => {
  it.each([
    ['12', 'usd', 1200],
    ['12.50', 'usd', 1250],
    ['12,50', 'usd', 1250],
    ['12,5', 'eur', 1250],
    [' 12.5 ', 'eur', 1250],
    ['$ 12', 'usd', 1200],
    ['12 €', 'eur', 1200],
    ['EUR 12.50', 'eur', 1250],
    ['12,50 eur', 'eur', 1250],
    ['1.250,00', 'eur', 125_000],
    ['1,250.00', 'usd', 125_000],
    ['1 250,00', 'eur', 125_000],
    ['1\u202f250', 'eur', 125_000],
    ["1'250.05", 'chf', 125_005],
    ['1,250,000', 'usd', 125_000_000],
    ['1,250,000.5', 'usd', 125_000_050],
    ['29.00', 'huf', 2900],
    ['0', 'usd', 0],
    ['2900', 'jpy', 2900],
    ['¥2,900', 'jpy', 2900],
    ['2.900', 'jpy', 2900],
    ['1,250,000', 'jpy', 1_250_000],
    ['5,000', 'ugx', 5000],
    ['1.500', 'kwd', 1500],
    ['1,5', 'kwd', 1500],
    ['1,234.500', 'kwd', 1_234_500],
    ['1.234,500', 'kwd', 1_234_500],
    ['12.3456', 'clf', 123_456],
  ])('as %s in %s is %d', (text, currency, amount) => {
    expect(readAmount(text, currency)).toBe(amount)
  })

  it.each([
    ['', 'usd', 'is empty'],
    ['ten', 'usd', 'is no number'],
    ['-5', 'usd', 'is below 0'],
    ['1e3', 'usd', 'is written as no one writes amounts'],
    ['1.2.3', 'usd', 'has no groups of three'],
    ['1,25,000', 'usd', 'has no groups of three'],
    ['12 50', 'usd', 'may be 12.50'],
    ['1,234', 'usd', 'may be 1.23 or 1,234.00'],
    ['1.234', 'usd', 'may be 1.23 or 1,234.00'],
    ['1.234', 'eur', 'may be 1.23 or 1,234.00'],
    ['1,234', 'kwd', 'may be 1.234 or 1,234.000'],
    ['12.5055', 'usd', 'has too many decimals'],
    ['12.5', 'jpy', 'has decimals that yen do not have'],
    ['29.00', 'jpy', 'has decimals that yen do not have'],
    ['9'.repeat(20), 'usd', 'is more than can be counted'],
    ['9'.repeat(40), 'usd', 'is too long'],
    ['1.234.56', 'usd', 'has one separator for two things'],
    ['1,234 567', 'usd', 'has two separators for one thing'],
    ['12 eur', 'usd', 'is in another currency'],
    ['12.', 'usd', 'stops before its decimals'],
  ])('as %s in %s is refused: it %s', (text, currency) => {
    expect(readAmount(text, currency)).toBe(null)
  })

  it('is shown by examples that can be read', () => {
    expect(['usd', 'jpy', 'kwd'].map(amountExamples)).toEqual([
      '12.50 or 1,250.00',
      '1250 or 1,250',
      '12.500 or 1,250.000',
    ])
    for (const currency of currencies)
      for (const example of amountExamples(currency).split(' or '))
        expect([currency, readAmount(example, currency)]).not.toEqual([currency, null])
  })

  it('is read back from the field that shows it, and from how it is shown, in every currency', () => {
    const amounts = fc.oneof(fc.integer({ min: 0, max: MAX_AMOUNT }), fc.maxSafeNat())
    fc.assert(
      fc.property(amounts, fc.constantFrom(...currencies), (amount, currency) => {
        expect(readAmount(plainAmount(amount, currency), currency)).toBe(amount)
        const shown = formatMoney(amount, currency).replace(/^[^\d]+/, '')
        expect(readAmount(shown, currency)).toBe(amount)
      }),
    )
  })
})
