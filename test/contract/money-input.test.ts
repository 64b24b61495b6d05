import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountInput, readAmount } from '../../src/contract/money-input.ts'
import { formatMoney } from '../../src/contract/money-text.ts'
import { currencies, MAX_AMOUNT } from '../../src/contract/values.ts'

describe('An amount that a person enters', () => {
  it.each([
    ['12.50', 'usd', 1250],
    ['12,5', 'eur', 1250],
    ['$ 12', 'usd', 1200],
    ['12 €', 'eur', 1200],
    ['1,250', 'usd', 125_000],
    ['1.250,00', 'eur', 125_000],
    ['1,250.00', 'usd', 125_000],
    ["1'250.05", 'chf', 125_005],
    ['1,250,000', 'jpy', 1_250_000],
    ['1.500', 'kwd', 1500],
    ['0', 'usd', 0],
  ])('as %s in %s is %d', (text, currency, amount) => {
    expect(readAmount(text, currency)).toBe(amount)
  })

  it.each([
    ['', 'usd'],
    ['ten', 'usd'],
    ['-5', 'usd'],
    ['1e3', 'usd'],
    ['1.2.3', 'usd'],
    ['1,25,000', 'usd'],
    ['12.5055', 'usd'],
    ['12.5', 'jpy'],
    ['1000000', 'usd'],
    ['9'.repeat(30), 'usd'],
    ['1.234.56', 'usd'],
  ])('as %s in %s is refused', (text, currency) => {
    expect(readAmount(text, currency)).toBe(null)
  })

  it('is read back from the field that shows it, and from how it is shown, in every currency', () => {
    const amounts = fc.integer({ min: 0, max: MAX_AMOUNT })
    fc.assert(
      fc.property(amounts, fc.constantFrom(...currencies), (amount, currency) => {
        expect(readAmount(amountInput(amount, currency), currency)).toBe(amount)
        const shown = formatMoney(amount, currency).replace(/^[^\d]+/, '')
        expect(readAmount(shown, currency)).toBe(amount)
      }),
    )
  })
})
