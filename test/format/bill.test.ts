import { describe, expect, it } from 'vitest'
import { type Bill, billRows } from '../../src/format/bill.ts'

const rowsOf = (bill: Partial<Bill>) =>
  billRows({ currency: 'usd', subtotal: 0, total: 0, totalLabel: 'Total', ...bill }).map(
    ({ label, value }) => `${label} ${value}`,
  )

describe('A bill', () => {
  it('adds up from the lines to the total, with tax on top', () => {
    const taxes = [{ label: 'VAT 19%', amount: 1710 }]
    const bill = { subtotal: 10_500, setupFee: 500, discount: { code: 'SPRING', amount: 1500 }, taxes, total: 10_710 }
    expect(rowsOf(bill)).toEqual([
      'Subtotal $100.00',
      'One-time setup fee $5.00',
      'Discount SPRING −$15.00',
      'VAT 19% $17.10',
      'Total $107.10',
    ])
    const steps = billRows({ currency: 'usd', totalLabel: 'Total', ...bill }).filter(({ kind }) =>
      /step|less/.test(kind),
    )
    expect(steps.reduce((sum, { amount }) => sum + amount, 0)).toBe(bill.total)
  })

  it('names taxes that prices include after the total, which they do not raise', () => {
    const taxes = [{ label: 'VAT 19%', amount: 1597 }]
    expect(rowsOf({ subtotal: 10_000, taxes, taxInclusive: true, total: 10_000 })).toEqual([
      'Total $100.00',
      'Includes VAT 19% $15.97',
    ])
  })

  it('says what refunds leave', () => {
    expect(
      rowsOf({ subtotal: 1000, total: 1000, refunded: 400, currency: 'kwd' }).map((row) => row.replaceAll(/\s/g, ' ')),
    ).toEqual(['Total KWD 1.000', 'Refunded −KWD 0.400', 'Left KWD 0.600'])
  })

  it('has the total alone where one thing was bought at its price', () => {
    expect(rowsOf({ subtotal: 950, total: 950, currency: 'jpy' })).toEqual(['Total ¥950'])
    expect(rowsOf({ subtotal: 950, total: 950, lines: 2 })).toEqual(['Subtotal $9.50', 'Total $9.50'])
  })
})
